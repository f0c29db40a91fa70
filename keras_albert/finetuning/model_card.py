"""The `README.md` of a run's folder: what the model is, what it is worth, and how to load it."""

from collections.abc import Mapping, Sequence
from typing import Any

from keras_albert.finetuning.output_tables import markdown_table

_SHOWN_ERRORS = 10
_SETTINGS = (
    "preset", "epochs", "train_steps", "batch_size", "learning_rate", "warmup_steps", "patience", "class_weights",
    "max_sequence_length", "max_train_rows", "seed", "dropout", "head_dropout", "dtype", "random_init",
)  # fmt: skip
_USES = {
    "classification": 'print(model.classify(["a fine film"]))',
    "regression": 'print(model.predict([("A man plays.", "Someone is playing.")]))',
    "tagging": 'print(model.tag(["Anna Smith lives in Oslo."]))',
    "question-answering": 'print(model.answer("Where does Anna live?", "Anna lives in Oslo."))',
    "multiple-choice": 'print(model.choose("Anna lives in Oslo.", "Anna lives in _.", ["Oslo", "Rome"]))',
}


def model_card(
    name: str,
    configuration: Mapping[str, Any],
    figures: Mapping[str, Any],
    class_name: str,
    worst: Mapping[str, Sequence[Any]],
) -> str:
    """Return the card as Markdown.

    Args:
        name: the run's name.
        configuration: what `config.json` holds.
        figures: what `metrics.json` holds.
        class_name: the class of the model.
        worst: a table of the answers that are most wrong, worst first.
    """
    main, kind = figures["main"], configuration["kind"]["name"]
    numbers = {
        key: value for key, value in figures.items() if isinstance(value, float) and key not in ("seconds", "baseline")
    }
    data = {key: str(value) for key, value in configuration["source"].items() if value is not None}
    data |= {"training rows": f"{figures['train_rows']:,}", "dev rows": f"{figures['rows']:,}"}
    settings = {key: _shown(configuration[key]) for key in _SETTINGS if configuration[key] is not None}
    parts = [
        f"# {name}\n\nAn ALBERT for {kind.replace('_', ' ')}, fine-tuned with keras_albert "
        f"{figures['versions'].get('keras-albert', '')}: **{main} {_shown(figures[main])}** on "
        f"{figures['rows']:,} dev rows ({figures['baseline_name']}: {_shown(figures['baseline'])}).\n",
        "![Curves, answers and scores](pictures.png)\n",
        "## Load it\n\n```python\nimport keras_albert\n\n"
        f'model = keras_albert.{class_name}.from_preset("{name}/model")\n{_USES[kind]}\n```\n\n'
        f"`keras-albert evaluate --model {name}` repeats the figures. "
        "`last/` holds the weights at the end of the training.\n",
        f"## Figures on the dev rows\n\n{markdown_table({'figure': list(numbers), 'value': list(numbers.values())})}\n"
        f"The weights are those of step {figures['best_step']:,} of {figures['steps']:,}, which were best by {main} on "
        f"the same rows. {figures['parameters']:,} parameters; {figures['seconds']:,} s under {figures['backend']}.\n",
        f"## Data\n\n{markdown_table({'what': list(data), 'value': list(data.values())})}",
        f"## Settings\n\n{markdown_table({'setting': list(settings), 'value': list(settings.values())})}",
    ]
    if worst["error"]:
        shown = {key: column[:_SHOWN_ERRORS] for key, column in worst.items()}
        parts.append(f"## The worst errors\n\n`errors.tsv` has more.\n\n{markdown_table(shown)}")
    return "\n".join(parts)


def _shown(value: Any) -> str:
    return "undefined" if value is None else f"{value:.4g}" if isinstance(value, float) else str(value)
