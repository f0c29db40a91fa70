"""The model that a run pretrains: of random weights, or from a preset or checkpoint to go on from."""

import warnings
from typing import Any

import keras

from keras_albert.backbone import AlbertBackbone
from keras_albert.checkpoints import Release
from keras_albert.presets import resolve
from keras_albert.pretraining.settings import BASE_SIZES, Pretraining
from keras_albert.tasks.pretrainer import AlbertPretrainer, AlbertPretrainerPreprocessor
from keras_albert.training import AdamW, Lamb, WarmupPolynomialDecay

_TEXT_OPTIONS = ("lowercase", "strip_accents")
_BLOCKS = ("attention_blocks", "feed_forward_blocks")


def build_model(settings: Pretraining, tokenizer: Any) -> AlbertPretrainer:
    """Build the model, with the tokenizer of the data.

    Args:
        settings: sizes, or what to go on from; dropout, precision, rematerialization.
        tokenizer: the tokenizer that the data were made with.

    Raises:
        ValueError: sizes that don't fit together, rows longer than the model's positions, a model of another
            vocabulary.
    """
    options: dict[str, Any] = {
        "hidden_dropout": settings.hidden_dropout,
        "attention_dropout": settings.attention_dropout,
        "remat": settings.remat,
        "dtype": settings.dtype,
    }
    if settings.init_from is None:
        sizes: dict[str, Any] = BASE_SIZES | settings.sizes() | {"vocabulary_size": tokenizer.vocabulary_size()}
        backbone = AlbertBackbone(**sizes, **options)
        return AlbertPretrainer(backbone, _preprocessor(settings, tokenizer, backbone))
    _check_same_vocabulary(settings.init_from, tokenizer)
    if settings.init_from_group0:
        source = AlbertPretrainer.from_preset(settings.init_from)
        sizes = source.backbone.get_config() | settings.sizes() | options | {"name": None}
        backbone = AlbertBackbone(**sizes)
        model = AlbertPretrainer(backbone, _preprocessor(settings, tokenizer, backbone))
        copy_first_group(source, model)
        return model
    backbone = AlbertBackbone.from_preset(settings.init_from, **options)
    _check_sizes(settings, backbone)
    preprocessor = _preprocessor(settings, tokenizer, backbone)
    return AlbertPretrainer.from_preset(settings.init_from, backbone=backbone, preprocessor=preprocessor)


def build_optimizer(settings: Pretraining) -> keras.optimizers.Optimizer:
    """Build LAMB or AdamW as Google's, with the schedule."""
    schedule = WarmupPolynomialDecay(settings.rate, settings.train_steps, settings.warmup, settings.power)
    steps = settings.gradient_accumulation_steps
    optimizer_class = Lamb if settings.optimizer == "lamb" else AdamW
    return optimizer_class(
        schedule,
        weight_decay=settings.weight_decay,
        global_clipnorm=settings.clip_norm,
        gradient_accumulation_steps=steps if steps > 1 else None,
    )


def restore_slots(preset: str, model: AlbertPretrainer) -> int:
    """Give a compiled model's optimizer the slots that a Google checkpoint has, and return how many variables had some.

    Args:
        preset: what the model was loaded from; anything but a Google checkpoint has no slots.
        model: the model, compiled with LAMB or AdamW.
    """
    release = resolve(preset)
    if not isinstance(release, Release):
        return 0
    optimizer: Any = getattr(model.optimizer, "inner_optimizer", model.optimizer)
    if not model.optimizer.built:
        model.optimizer.build(model.trainable_variables)
    order = {id(variable): number for number, variable in enumerate(model.trainable_variables)}
    parts = {"backbone": model.backbone} | {name: getattr(model, name) for name in model.head_names}
    restored = 0
    for part in sorted(parts.keys() & {"backbone", *release.heads}):
        for variable, first, second in release.slots(part, parts[part]):
            number = order[id(variable)]
            optimizer.first_moments[number].assign(first)
            optimizer.second_moments[number].assign(second)
            restored += 1
    return restored


def copy_first_group(source: AlbertPretrainer, target: AlbertPretrainer) -> None:
    """Give every group of a model the weights of another's first group, and all else as it is there.

    `init_from_group0` of google-research/albert modeling.py.

    Args:
        source: the model to take from.
        target: the model to fill, with as many blocks in a group.

    Raises:
        ValueError: models whose groups don't fit each other.
    """
    origin, copy = source.backbone, target.backbone
    repetitions = origin.num_inner_repetitions
    if copy.num_inner_repetitions != repetitions or copy.sharing != "all" or origin.sharing != "all":
        raise ValueError(
            f"init_from_group0 copies groups of {repetitions} blocks that share all weights. Received: "
            f"num_inner_repetitions={copy.num_inner_repetitions}, sharing={copy.sharing!r}"
        )
    pairs = [(origin.embedding, copy.embedding), (origin.pooler, copy.pooler)]
    pairs += [(getattr(source, name), getattr(target, name)) for name in target.head_names]
    for name in _BLOCKS:
        first_group = getattr(origin, name)[:repetitions]
        pairs += [(first_group[index % repetitions], block) for index, block in enumerate(getattr(copy, name))]
    for given, filled in pairs:
        filled.set_weights(given.get_weights())


def _preprocessor(settings: Pretraining, tokenizer: Any, backbone: AlbertBackbone) -> AlbertPretrainerPreprocessor:
    if settings.sequence_length > backbone.max_sequence_length:
        raise ValueError(
            f"Expected rows of at most the model's {backbone.max_sequence_length} positions. "
            f"Received: sequence_length={settings.sequence_length}. Pass max_sequence_length="
            f"{settings.sequence_length} for a new model."
        )
    return AlbertPretrainerPreprocessor(
        tokenizer, max_masks=settings.slots, max_sequence_length=backbone.max_sequence_length
    )


def _check_sizes(settings: Pretraining, backbone: AlbertBackbone) -> None:
    different = {name: value for name, value in settings.sizes().items() if value != getattr(backbone, name)}
    if different:
        raise ValueError(
            f"The model in init_from={settings.init_from!r} has other sizes. Received: {different}. Leave them out, or "
            "start from random weights."
        )


def _check_same_vocabulary(preset: str, tokenizer: Any) -> None:
    own = AlbertPretrainerPreprocessor.from_preset(preset).tokenizer
    if own.get_vocabulary() != tokenizer.get_vocabulary():
        raise ValueError(
            f"The data were made with another vocabulary ({tokenizer.vocabulary_size():,} pieces) than that of the "
            f"model in init_from={preset!r} ({own.vocabulary_size():,} pieces). Build the data with the model's: "
            f"`keras-albert build-data --tokenizer {preset}`."
        )
    different = [name for name in _TEXT_OPTIONS if getattr(own, name) != getattr(tokenizer, name)]
    if different:
        warnings.warn(
            f"The data were made with another {' and '.join(different)} than the tokenizer of {preset} has.",
            stacklevel=4,
        )
