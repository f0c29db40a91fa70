"""The `README.md` of a pretraining's folder: what the model is, what it was trained on, and how to load it."""

from collections.abc import Mapping
from typing import Any

from keras_albert.pretraining.settings import HELD_OUT, Pretraining

_FIGURES = {
    "masked_lm_accuracy": "accuracy of masked tokens",
    "masked_lm_loss": "loss of masked tokens",
    "sentence_order_accuracy": "accuracy of the sentences' order",
    "sentence_order_loss": "loss of the sentences' order",
}


def model_card(name: str, settings: Pretraining, figures: Mapping[str, Any]) -> str:
    """Return the card as Markdown.

    Args:
        name: the run's name.
        settings: its settings.
        figures: what `metrics.json` holds.
    """
    baselines = figures["baselines"]
    rows = [
        (text, figures[HELD_OUT + figure], baselines.get(figure))
        for figure, text in _FIGURES.items()
        if HELD_OUT + figure in figures
    ]
    measured = "\n".join(f"| {text} | {value:.4f} | {_shown(guess)} |" for text, value, guess in rows)
    facts = {
        "steps": f"{figures['steps']:,} (the weights are those of step {figures['best_step']:,})",
        "tokens seen": f"{figures['tokens_seen']:,}",
        "passes over the data": f"{figures['epochs']:,} whole",
        "time": f"{figures['seconds']:,.0f} s under {figures['backend']}",
        "highest learning rate": f"{figures['learning_rate']:.3g}",
    }
    facts |= {key: str(value) for key, value in figures["data"].items()}
    facts_table = "\n".join(f"| {key} | {value} |" for key, value in facts.items())
    used = {key: value for key, value in settings.deciding().items() if value is not None}
    parts = [
        f"# {name}\n\nAn ALBERT pretrained with keras_albert: {figures['parameters']:,} parameters, with the heads for "
        "masked tokens and for the order of sentences.\n",
        "![Curves](curves.png)\n",
        "## Load it\n\n```python\nimport keras_albert\n\n"
        f'model = keras_albert.AlbertClassifier.from_preset("{name}/model", num_classes=2)\n'
        f'masked_lm = keras_albert.AlbertMaskedLM.from_preset("{name}/model")\n```\n',
        f"## Figures on {figures['held_out_rows']:,} held-out rows\n\n| figure | model | guessing |\n|---|---|---|\n"
        f"{measured}\n\nGuessing masked tokens: by how often each piece occurs in the data.\n"
        if rows
        else "No rows were held out.\n",
        f"## Training\n\n| what | value |\n|---|---|\n{facts_table}",
        "\n## Settings\n\n| setting | value |\n|---|---|\n"
        + "\n".join(f"| {key} | {value} |" for key, value in used.items()),
    ]
    return "\n".join(parts) + "\n"


def _shown(value: float | None) -> str:
    return "" if value is None else f"{value:.4f}"
