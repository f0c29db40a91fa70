"""A fine-tuning run: from a preset and labelled rows to a folder with the model, its figures and pictures.

`main` of google-research/albert run_classifier.py, run_squad_v1.py, run_squad_v2.py and run_race.py; paper section 4.1.
"""

import time
import warnings
from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

import keras
import keras_hub
import numpy as np

from keras_albert.finetuning.building import build_model, class_weights_of
from keras_albert.finetuning.callbacks import CurveRecorder, Reseed, StopAtNoNumber
from keras_albert.finetuning.kinds.kind import Kind
from keras_albert.finetuning.metrics.metrics import Metrics
from keras_albert.finetuning.readers.rows import Rows
from keras_albert.finetuning.result import FineTuned, write_result
from keras_albert.finetuning.rounds import TrainingRounds
from keras_albert.finetuning.settings import FineTuning, Steps
from keras_albert.finetuning.state import Progress, UnfinishedRun
from keras_albert.finetuning.stuck import is_stuck
from keras_albert.presets.output_folder import check_space, new_folder
from keras_albert.tasks.datasets import keras_dataset
from keras_albert.tasks.text_batches import TextBatches
from keras_albert.training import WarmupPolynomialDecay, adamw
from keras_albert.training.interrupts import remembering_interrupts
from keras_albert.training.progress import RunProgress


def finetune(
    settings: FineTuning,
    kind: Kind,
    train: Rows,
    dev: Rows,
    source: Mapping[str, Any] | None = None,
    verbose: bool = True,
) -> FineTuned:
    """Fine-tune a model, keep the round that is best on the dev rows, and write the run's folder.

    The folder holds `README.md` (a model card), `model/` and `last/` (Keras presets of the best and the last weights),
    `config.json`, `metrics.json`, `history.csv`, `predictions.tsv` and `errors.tsv` (the dev rows) and pictures. It
    appears when all of that is written. Until then the state lies in `RUN.unfinished`: the same call after a kill goes
    on from the last round that was scored, and ends with the same result.

    Args:
        settings: what to start from, where to write, and how to train.
        kind: the kind of task.
        train: training rows, with labels.
        dev: rows to choose the best round by, with labels.
        source: where the rows come from, kept in `config.json`.
        verbose: whether progress is shown on the standard error.

    Raises:
        ValueError: settings or labels that don't fit; a loss that is no number before the first round has ended.
        FileExistsError: the output folder is there already.
        OutputError: the output folder cannot be written.
    """
    train = train.sample(settings.max_train_rows, settings.seed)
    deciding = {**asdict(settings), "kind": kind.as_dict(), "rows": [train.digest(), dev.digest()]}
    deciding |= {"output": None, "overwrite": None, "backend": keras.backend.backend()}
    unfinished = UnfinishedRun(settings.output, deciding, settings.overwrite)
    try:
        with new_folder(settings.output, settings.overwrite) as folder:
            keras.utils.set_random_seed(settings.seed)
            train, tuning = kind.hold_out(train, settings.seed)
            model = build_model(settings, kind, train)
            check_space(model, folder, settings.output)  # before hours of training
            rounds, steps = _batches(settings, kind, train, model)
            rate = settings.rate(model.backbone.hidden_dim)
            used = replace(settings, learning_rate=rate, warmup_steps=steps.warmup)
            model.compile(optimizer=adamw(WarmupPolynomialDecay(rate, steps.total, steps.warmup)))
            progress = _train(used, kind, model, rounds, steps, dev, unfinished, verbose)
            last = [np.array(weight) for weight in model.get_weights()]
            unfinished.restore_best(model, progress)
            tuned = {} if tuning is None else kind.tune(model, tuning, settings.batch_size)
            answers = kind.answer(model, dev, settings.batch_size)
            metrics = kind.score(dev, answers)
            _warn_of_failure(progress, steps, metrics)
            result = FineTuned(
                model, used, kind, metrics, answers, progress, steps, len(train), tuned, dict(source or {})
            )
            write_result(result, dev, last, folder)
        unfinished.remove()
    except BaseException:
        unfinished.remove_if_empty()
        raise
    return result


def _batches(
    settings: FineTuning, kind: Kind, train: Rows, model: keras_hub.models.Task
) -> tuple[TrainingRounds, Steps]:
    """Encode the training rows, which may become more rows (windows of long texts), and count the steps."""
    x, y = kind.training_data(train, model)
    if hasattr(model, "prepare_labels"):
        y = model.prepare_labels(y)
    weights = class_weights_of(settings, kind, train)
    batches = TextBatches(model.preprocessor, x, y, weights, settings.batch_size, shuffle=True)
    steps = settings.steps(len(batches))
    return TrainingRounds(batches, steps, settings.seed), steps


def _train(
    settings: FineTuning,
    kind: Kind,
    model: keras_hub.models.Task,
    rounds: TrainingRounds,
    steps: Steps,
    dev: Rows,
    unfinished: UnfinishedRun,
    verbose: bool,
) -> Progress:
    """Train round by round, score the dev rows after each, and save the state."""
    progress = unfinished.load(model)
    curve = progress.curve
    start = time.monotonic() - progress.seconds
    was_stuck = False
    with remembering_interrupts() as interrupts, RunProgress(steps.total, is_shown=verbose) as shown:
        recorder = CurveRecorder(
            curve,
            steps.total,
            steps.in_epoch,
            lambda step, point: shown.at(step, f"loss {point['loss']:.4f}" if "loss" in point else ""),
        )
        for number in range(progress.rounds_done, steps.rounds):
            if progress.stopped_early or progress.diverged_step is not None:
                break
            rounds.start(number)
            recorder.step = steps.of_round(number).start
            stop = StopAtNoNumber()
            callbacks = [Reseed((settings.seed + number) % 2**32), recorder, stop, interrupts]
            keras.Model.fit(model, keras_dataset(rounds), shuffle=False, verbose=0, callbacks=callbacks)
            if stop.step is not None:
                progress.diverged_step = steps.of_round(number).start + stop.step
                break
            if not was_stuck and is_stuck(curve, kind.guessing_loss(model)):
                was_stuck = True
                warnings.warn(
                    f"After {recorder.step:,} steps the loss is still that of guessing ({curve[-1]['loss']:.3f}). "
                    "Stop it, and lower the learning rate, or warm up longer.",
                    stacklevel=3,
                )
            metrics = kind.score(dev, kind.answer(model, dev, settings.batch_size))
            is_best = progress.best_round is None or _order(metrics.value) > _order(progress.best_value)
            if is_best:
                progress.best_round, progress.best_value = number + 1, _order(metrics.value)
            curve[-1] |= {f"dev_{name}": float(value) for name, value in metrics.figures.items()}
            progress.rounds_done = number + 1
            progress.seconds = time.monotonic() - start
            waited = progress.rounds_done - (progress.best_round or 0)
            progress.stopped_early = settings.patience is not None and waited >= settings.patience
            unfinished.save(model, progress, is_best)
            shown.scored(recorder.step, f"dev {metrics.main} {metrics.value:.4f}", is_best)
    if progress.best_round is None:
        raise ValueError(
            f"The loss became infinite or no number at step {progress.diverged_step}, before the first evaluation: "
            "there is no trained model to keep. Lower the learning rate, or warm up longer."
        )
    return progress


def _order(value: float | None) -> float:
    """An undefined figure, such as the correlation of a constant, is worse than any other."""
    return -1e9 if value is None or not np.isfinite(value) else float(value)


def _warn_of_failure(progress: Progress, steps: Steps, metrics: Metrics) -> None:
    if progress.diverged_step is not None:
        warnings.warn(
            f"The loss became infinite or no number at step {progress.diverged_step:,}: the training ended there, and "
            f"the weights of step {min((progress.best_round or 0) * steps.in_round, steps.total):,} were kept. "
            "Lower the learning rate.",
            stacklevel=3,
        )
    # Two standard errors: less than that is no evidence that anything was learnt.
    share = min(max(metrics.baseline, 0.0), 1.0)
    margin = 2 * np.sqrt(share * (1 - share) / metrics.rows)
    if not metrics.value > metrics.baseline + margin:
        warnings.warn(
            f"The model is hardly better than {metrics.baseline_name}: {metrics.main} {metrics.value:.3f} against "
            f"{metrics.baseline:.3f}. Train for more epochs, or at another learning rate.",
            stacklevel=3,
        )
