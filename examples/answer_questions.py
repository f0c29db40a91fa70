"""Answer questions about short texts: a small model learns it in half a minute.

    python examples/answer_questions.py

Trains on made-up facts about people, then answers about people whose facts it never saw, and prints the share of
exact answers (expect more than 0.8) and where each answer stands. Any backend does: KERAS_BACKEND=jax, for example.
"""

import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import itertools

import keras
import numpy as np
from small_model import small_backbone, small_tokenizer

import keras_albert

NAMES = ["Anna", "Bruno", "Clara", "David", "Emma", "Felix", "Greta", "Hugo"]
CITIES = ["Oslo", "Rome", "Lima", "Kyoto", "Cairo", "Quito", "Paris", "Riga"]
JOBS = ["a baker", "a pilot", "a nurse", "a painter", "a farmer", "a teacher"]
QUESTIONS = {"city": "Where does {} live?", "job": "What is the job of {}?", "pet": "Which animal does {} keep?"}
PETS = ["a cat", "two dogs", "a parrot", "a white horse", "three hens"]


def facts() -> list[tuple[str, str, dict[str, object]]]:
    """Return questions, contexts and answers with their places."""
    rows = []
    for number, (name, city, job, pet) in enumerate(itertools.product(NAMES, CITIES, JOBS, PETS)):
        parts = [f"{name} lives in {city}.", f"{name} works as {job}.", f"At home there is {pet}."]
        order = np.random.permutation(3)
        context = " ".join(parts[place] for place in order)
        kind, answer = [("city", city), ("job", job), ("pet", pet)][number % 3]
        rows.append((QUESTIONS[kind].format(name), context, {"text": answer, "answer_start": context.index(answer)}))
    return rows


def main(train_rows: int = 900, epochs: int = 6) -> float:
    """Train, answer, and return the share of exact answers."""
    keras.utils.set_random_seed(0)
    rows = facts()
    rows = [rows[place] for place in np.random.permutation(len(rows))]
    train, test = rows[:train_rows], rows[train_rows : train_rows + 100]
    tokenizer = small_tokenizer([text for row in rows for text in row[:2]], 80)
    preprocessor = keras_albert.AlbertQuestionAnswererPreprocessor(
        tokenizer, max_sequence_length=64, sequence_length=64, max_question_length=24, doc_stride=16
    )
    model = keras_albert.AlbertQuestionAnswerer(small_backbone(tokenizer), preprocessor)
    model.compile(optimizer=keras.optimizers.Adam(2e-3))
    questions, contexts, answers = zip(*train, strict=True)
    model.fit((list(questions), list(contexts)), list(answers), epochs=epochs, verbose=2)

    found = model.predict([row[:2] for row in test], verbose=0)
    right = float(np.mean([answer.text == row[2]["text"] for answer, row in zip(found, test, strict=True)]))
    print(f"\nExact answers to {len(test)} new questions: {right:.2f}")
    for (question, context, _), answer in zip(test[:3], found, strict=False):
        print(f"  {context}\n    {question} -> {answer.text!r} at {answer.start}:{answer.end}")
    return right


if __name__ == "__main__":
    main()
