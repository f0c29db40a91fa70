from typing import Literal

import keras
import pytest

from keras_albert import AlbertBackbone, AlbertTokenizer, train_vocabulary
from keras_albert.finetuning.kinds.question_answering import QuestionAnswering
from keras_albert.finetuning.readers.questions import GoldAnswer, QuestionExamples
from keras_albert.tasks.question_answering import AlbertQuestionAnswererPreprocessor

NAMES = ("ada", "bob", "eve", "kim")


def toy_rows(number: int) -> QuestionExamples:
    """Return questions for who sang or danced, of which every third has no answer."""
    contexts = [f"{NAMES[row % 4]} sang and {NAMES[(row + row // 4) % 4]} left, {row}." for row in range(number)]
    golds = [[] if row % 3 == 0 else [GoldAnswer(NAMES[row % 4], 0)] for row in range(number)]
    questions = ["who danced?" if row % 3 == 0 else "who sang?" for row in range(number)]
    return QuestionExamples([str(row) for row in range(number)], questions, contexts, golds)


@pytest.mark.parametrize("head", ["span", "verifier"])
def test_a_model_learns_and_gets_its_threshold(head: Literal["span", "verifier"]) -> None:
    kind = QuestionAnswering(head=head)
    rows = toy_rows(60)
    train, held_out = kind.hold_out(rows, seed=0)
    assert held_out is not None and (len(train), len(held_out)) == (40, 20)
    tokenizer = AlbertTokenizer(train_vocabulary(rows.contexts + rows.questions, vocabulary_size=48))
    backbone = AlbertBackbone(
        vocabulary_size=48,
        num_layers=1,
        num_heads=1,
        hidden_dim=16,
        intermediate_dim=16,
        embedding_dim=8,
        max_sequence_length=64,
        initializer_range=0.2,
    )
    preprocessor = AlbertQuestionAnswererPreprocessor(
        tokenizer, max_question_length=16, sequence_length=64, max_sequence_length=64
    )
    model = kind.task_class(backbone, preprocessor=preprocessor, **kind.task_options(train))
    # Tracing under TensorFlow takes longer than all twelve steps.
    model.compile(optimizer=keras.optimizers.Adam(0.03), run_eagerly=keras.config.backend() == "tensorflow")
    losses = model.fit(*kind.training_data(train, model), batch_size=20, epochs=6, verbose=0).history["loss"]
    assert losses[-1] < 0.8 * losses[0]

    tuned = kind.tune(model, held_out, batch_size=20)
    assert tuned["null_threshold"] == model.null_threshold
    answers = kind.answer(model, held_out, batch_size=20)
    # The threshold does in the model what the search promised.
    assert kind.score(held_out, answers).value == pytest.approx(tuned["held_out_f1"])
    assert all(
        context[answer.start : answer.end] == answer.text
        for context, answer in zip(held_out.contexts, answers, strict=True)
    )
