"""A pretraining run: from token documents to a preset with both heads, its figures and curves.

`main` of google-research/albert run_pretraining.py; paper section 4.1.
"""

import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import keras

from keras_albert.presets.output_folder import check_space, writing
from keras_albert.pretraining.baselines import unigram_baselines
from keras_albert.pretraining.batches import Prefetched, stream_batches
from keras_albert.pretraining.building import build_model, build_optimizer, restore_slots
from keras_albert.pretraining.checkpoints import Checkpoints, Progress
from keras_albert.pretraining.curves import EventLog, write_curve
from keras_albert.pretraining.data import RunData, open_run_data
from keras_albert.pretraining.model_card import model_card
from keras_albert.pretraining.pictures import draw_curves
from keras_albert.pretraining.settings import HELD_OUT, Pretraining
from keras_albert.pretraining.trainer import Trainer
from keras_albert.tasks.pretrainer import AlbertPretrainer
from keras_albert.training.progress import RunProgress
from keras_albert.training.state_files import replace_file

_MODEL, _METRICS, _CARD = "model", "metrics.json", "README.md"


@dataclass(frozen=True)
class Pretrained:
    """What a run came to.

    Attributes:
        model: the model with the best weights.
        settings: the settings used.
        progress: steps, time and curve.
        figures: what `metrics.json` holds.
    """

    model: AlbertPretrainer
    settings: Pretraining
    progress: Progress
    figures: dict[str, Any]


def pretrain(settings: Pretraining, verbose: bool = True) -> Pretrained:
    """Pretrain a model, keep the weights that are best by the accuracy of masked tokens, and write a preset.

    The folder `settings.output` gets `model/` (a preset for `from_preset` of every task), `README.md` (a model card),
    `metrics.json`, `curves.csv`, `curves.png` (both also during the run), `tensorboard/` and `checkpoints/`. After a
    kill at any moment the same call goes on from the last checkpoint, and ends with the same result.

    Args:
        settings: data, model and training.
        verbose: whether progress is shown on the standard error.

    Raises:
        ValueError: data, settings and model that don't fit each other; a loss that is no number.
        FileExistsError: the output folder holds something else, or a run that is over.
        OutputError: the output folder cannot be written.
    """
    folder = _run_folder(settings)
    checkpoints = Checkpoints(folder / "checkpoints", settings.keep_checkpoints)
    try:
        return _pretrain(settings, folder, checkpoints, verbose)
    except BaseException:
        if checkpoints.last_file() is None:  # nothing to go on with
            shutil.rmtree(folder, ignore_errors=True)
        raise


def _pretrain(settings: Pretraining, folder: Path, checkpoints: Checkpoints, verbose: bool) -> Pretrained:
    keras.utils.set_random_seed(settings.seed)
    data = open_run_data(settings)
    model = build_model(settings, data.tokenizer)
    model.compile(optimizer=build_optimizer(settings))
    if settings.init_from is not None and not settings.init_from_group0:
        restore_slots(settings.init_from, model)
    checkpoints.start(settings.deciding() | {"backend": keras.backend.backend(), "data_digest": data.digest})
    check_space(model, folder, settings.output)  # before hours of training
    progress = checkpoints.restore_last(model)
    baselines = _baselines(data, model, settings)
    trainer = Trainer(settings, model, checkpoints, progress, data.held_out)
    stream = stream_batches(data.source, settings.batch_size, settings.seed, progress.position)
    with (
        RunProgress(settings.train_steps, "Pretraining", is_shown=verbose) as shown,
        EventLog(folder / "tensorboard", progress.step + 1) as events,
        Prefetched(stream) as batches,
    ):
        for point in trainer.train(batches, shown.at):
            events.add(point)
            shown.at(point["step"], f"MLM loss {point['masked_lm_loss']:.4f}")
            if progress.saved_step == point["step"]:
                shown.scored(point["step"], _score(point), progress.best_step == point["step"])
                write_curve(progress.curve, folder / "curves.csv")
                draw_curves(progress.curve, baselines, folder.name, folder / "curves.png")
    checkpoints.restore_best(model)
    figures = _figures(settings, data, model, progress, trainer.evaluate(), baselines)
    _write_result(folder, settings, model, figures)
    return Pretrained(model, settings, progress, figures)


def _run_folder(settings: Pretraining) -> Path:
    folder = Path(settings.output).expanduser().absolute()
    is_ours = (folder / "checkpoints").is_dir()
    if folder.exists() and not folder.is_dir():
        raise FileExistsError(f"Expected a folder to write to. Received: {settings.output}, which is a file.")
    if folder.is_dir() and any(folder.iterdir()):
        if settings.overwrite:
            shutil.rmtree(folder)
        elif not is_ours:
            raise FileExistsError(
                f"The folder {settings.output} is there already and holds no pretraining. Name another one, or allow "
                "it to be replaced (`--overwrite`; `overwrite=True` in Python)."
            )
        elif (folder / _CARD).is_file():
            raise FileExistsError(
                f"The pretraining in {settings.output} is over: its model is {folder / _MODEL}. Name another folder, "
                "or allow it to be replaced (`--overwrite`; `overwrite=True` in Python)."
            )
    with writing(settings.output):
        folder.mkdir(parents=True, exist_ok=True)
    return folder


def _baselines(data: RunData, model: AlbertPretrainer, settings: Pretraining) -> dict[str, float]:
    if data.held_out is None:
        return {}
    counts = data.source.piece_counts(model.backbone.vocabulary_size)
    baselines = unigram_baselines(counts, data.held_out["mask_ids"], data.held_out["mask_weights"])
    if settings.pairs != "none":
        share = float(data.held_out["sentence_order_label"].mean())
        baselines["sentence_order_accuracy"] = max(share, 1 - share)
    return baselines


def _score(point: dict[str, Any]) -> str:
    prefix = HELD_OUT if f"{HELD_OUT}masked_lm_accuracy" in point else ""
    parts = [f"{'held-out ' if prefix else ''}MLM accuracy {point[f'{prefix}masked_lm_accuracy']:.4f}"]
    if f"{prefix}sentence_order_accuracy" in point:
        parts.append(f"SOP accuracy {point[f'{prefix}sentence_order_accuracy']:.4f}")
    return ", ".join(parts)


def _figures(
    settings: Pretraining,
    data: RunData,
    model: AlbertPretrainer,
    progress: Progress,
    evaluated: dict[str, float],
    baselines: dict[str, float],
) -> dict[str, Any]:
    return {
        **evaluated,
        "baselines": baselines,
        "held_out_rows": 0 if data.held_out is None else len(data.held_out["token_ids"]),
        "best_step": progress.best_step,
        "steps": progress.step,
        "epochs": progress.position.epoch,
        "tokens_seen": progress.tokens,
        "seconds": round(progress.seconds, 1),
        "waited_for_data": round(progress.waited / max(progress.seconds, 1e-9), 4),
        "parameters": model.count_params(),
        "backend": keras.backend.backend(),
        "data": data.facts,
        "learning_rate": settings.rate,
    }


def _write_result(folder: Path, settings: Pretraining, model: AlbertPretrainer, figures: dict[str, Any]) -> None:
    model.save_to_preset(folder / _MODEL)
    with writing(folder):
        content = json.dumps(figures | {"settings": settings.deciding()}, indent=2, ensure_ascii=False)
        replace_file(folder / _METRICS, content.encode())
        # Last: with the card the run is over.
        replace_file(folder / _CARD, model_card(folder.name, settings, figures).encode())
