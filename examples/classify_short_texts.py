"""Train a small ALBERT from scratch on 860 labelled short texts, and show what it learned.

    python examples/classify_short_texts.py --output demo

Raw strings in: it trains a vocabulary of 1,000 pieces and a model of two layers, 90,000 weights, on the texts of
`examples/short_texts.jsonl`, then prints the accuracy on the test texts beside that of the majority class, a few
predictions, and writes a picture of the curves and the confusion matrix. `--seeds 20` trains twenty models in turn.
Any backend does: KERAS_BACKEND=tensorflow, jax or torch.
"""

import argparse
import json
import os
import time
from pathlib import Path
from typing import Any

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import keras

import keras_albert
from keras_albert.finetuning import Classification, Examples, Metrics, draw_run
from keras_albert.finetuning.callbacks import CurveRecorder

CLASS_NAMES = ("dissatisfied", "satisfied")
EPOCHS = 12
BATCH_SIZE = 32
NEW_TEXTS = [
    "The soup was cold and the waiter rude, we won't be back.",
    "Quick repair, fair price, and it works like new. Thank you!",
    "Not bad at all for the money.",
]


def read_split(name: str) -> tuple[list[str], list[str]]:
    """Return the texts and labels of a split."""
    lines = Path(__file__).with_name("short_texts.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [row for row in map(json.loads, lines) if row["split"] == name]
    return [row["text"] for row in rows], [row["label"] for row in rows]


def build_classifier(texts: list[str]) -> keras_albert.AlbertClassifier:
    """Return an untrained classifier whose vocabulary is trained on the texts."""
    tokenizer = keras_albert.AlbertTokenizer(keras_albert.train_vocabulary(texts, vocabulary_size=1000))
    backbone = keras_albert.AlbertBackbone(
        vocabulary_size=tokenizer.vocabulary_size(),
        num_layers=2,
        num_heads=2,
        hidden_dim=64,
        intermediate_dim=256,
        embedding_dim=32,
        max_sequence_length=128,
    )
    preprocessor = keras_albert.AlbertClassifierPreprocessor(tokenizer, max_sequence_length=128)
    return keras_albert.AlbertClassifier(backbone, class_names=CLASS_NAMES, preprocessor=preprocessor)


def train_once(seed: int, verbose: int) -> tuple[keras_albert.AlbertClassifier, CurveRecorder, int]:
    """Train with the defaults of `compile`, and keep the epoch that is best on the dev texts; return its last step."""
    keras.utils.set_random_seed(seed)
    texts, labels = read_split("train")
    classifier = build_classifier(texts)
    steps_in_epoch = -(-len(texts) // BATCH_SIZE)
    recorder = CurveRecorder([], EPOCHS * steps_in_epoch, steps_in_epoch)
    best = keras.callbacks.EarlyStopping("val_accuracy", patience=EPOCHS, mode="max", restore_best_weights=True)
    classifier.fit(
        texts,
        labels,
        batch_size=BATCH_SIZE,
        epochs=EPOCHS,
        validation_data=read_split("dev"),
        callbacks=[recorder, best],
        verbose=verbose,
    )
    return classifier, recorder, (best.best_epoch + 1) * steps_in_epoch


def evaluate_on_test(classifier: keras_albert.AlbertClassifier) -> tuple[Examples, Any, Metrics]:
    """Return the test texts, the predictions for them and the figures."""
    texts, labels = read_split("test")
    rows, kind = Examples(texts, labels=labels), Classification()
    answers = kind.answer(classifier, rows, BATCH_SIZE)
    return rows, answers, kind.score(rows, answers)


def main() -> None:
    """Train, report, draw."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--output", type=Path, default=Path("demo"), help="folder for the model and the picture")
    parser.add_argument("--seeds", type=int, default=1, help="how many models to train")
    options = parser.parse_args()

    for seed in range(options.seeds):
        start = time.monotonic()
        classifier, recorder, best_step = train_once(seed, verbose=1 if options.seeds == 1 else 0)
        rows, answers, metrics = evaluate_on_test(classifier)
        print(
            f"seed {seed}: accuracy {metrics.value:.3f} on {metrics.rows} test texts, majority class "
            f"{metrics.baseline:.3f}, {time.monotonic() - start:.0f} s",
            flush=True,
        )

    print(f"\nBackend {keras.backend.backend()}, {classifier.count_params():,} weights. New texts:")
    for text, prediction in zip(NEW_TEXTS, classifier.classify(NEW_TEXTS), strict=True):
        print(f"  {prediction.label:>12} {prediction.probability:.2f}  {text}")

    options.output.mkdir(parents=True, exist_ok=True)
    classifier.save_to_preset(options.output / "model")
    picture = options.output / "pictures.png"
    kind, title = Classification(), "A small ALBERT trained from scratch on short texts"
    table, errors = kind.table(rows, answers), kind.errors(rows, answers)
    draw_run(recorder.rows, best_step, metrics, table, errors, title, picture, "test")
    print(f"\nModel in {options.output / 'model'}, curves and confusion matrix in {picture}")


if __name__ == "__main__":
    main()
