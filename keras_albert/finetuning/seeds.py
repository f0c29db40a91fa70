"""The same run with several seeds: the mean and the spread of the figures, and the best of the models."""

import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure

from keras_albert.finetuning.kinds.kind import Kind
from keras_albert.finetuning.output_tables import markdown_table
from keras_albert.finetuning.readers.rows import Rows
from keras_albert.finetuning.result import as_json
from keras_albert.finetuning.run import finetune
from keras_albert.finetuning.settings import FineTuning
from keras_albert.finetuning.state import UnfinishedRun
from keras_albert.presets.output_folder import check_destination, new_folder, write_file, writing
from keras_albert.training.picture_style import DEV, FAINT, STYLE, font_families, save_picture


@dataclass(frozen=True)
class SeedSpread:
    """The main figure over several seeds.

    Args:
        main: its name.
        values: by seed.
        rows: dev rows that it is of.
    """

    main: str
    values: Mapping[int, float]
    rows: int

    @property
    def mean(self) -> float:
        """The mean over the seeds."""
        return float(np.mean(list(self.values.values())))

    @property
    def spread(self) -> float:
        """The standard deviation over the seeds (n - 1), 0 for one seed."""
        return float(np.std(list(self.values.values()), ddof=1)) if len(self.values) > 1 else 0.0

    @property
    def best_seed(self) -> int:
        """The seed of the best model."""
        return max(self.values, key=lambda seed: self.values[seed])


def finetune_with_seeds(
    settings: FineTuning,
    seeds: int,
    kind: Kind,
    train: Rows,
    dev: Rows,
    source: Mapping[str, Any] | None = None,
    verbose: bool = True,
) -> SeedSpread:
    """Repeat a run with several seeds, and write a folder with all of them.

    The folder holds the run of each seed (`seed_0`, …), the best one's `model/` and `config.json`, `metrics.json` with
    mean and spread of every figure, `README.md` and `seeds.png`. After a kill the same call goes on with the seed that
    was interrupted.

    Args:
        settings: as of `finetune`; the seeds are `settings.seed` and the numbers after it.
        seeds: how many, at least 2.
        kind: the kind of task.
        train: training rows, with labels.
        dev: rows to choose the best round and the best seed by.
        source: where the rows come from.
        verbose: whether progress is shown.

    Raises:
        ValueError: fewer than two seeds; and all that `finetune` raises.
    """
    if seeds < 2:
        raise ValueError(f"Expected at least two seeds. Received: seeds={seeds}")
    destination = check_destination(settings.output, settings.overwrite)
    deciding = {**asdict(settings), "seeds": seeds, "kind": kind.as_dict(), "rows": [train.digest(), dev.digest()]}
    unfinished = UnfinishedRun(settings.output, deciding | {"output": None, "overwrite": None}, settings.overwrite)
    work = unfinished.folder
    numbers = [settings.seed + number for number in range(seeds)]
    for seed in numbers:
        folder = work / f"seed_{seed}"
        if not (folder / "metrics.json").is_file():
            # What is in the working folder is the run's own: `overwrite` dropped what was there before.
            finetune(
                replace(settings, seed=seed, output=str(folder), overwrite=False), kind, train, dev, source, verbose
            )
    figures = {
        seed: json.loads((work / f"seed_{seed}" / "metrics.json").read_text(encoding="utf-8")) for seed in numbers
    }
    main, rows = figures[numbers[0]]["main"], figures[numbers[0]]["rows"]
    spread = SeedSpread(main, {seed: _number(content[main]) for seed, content in figures.items()}, rows)
    best = work / f"seed_{spread.best_seed}"
    with writing(settings.output):
        for name in ("model", "pictures.png", "config.json", "predictions.tsv", "errors.tsv"):
            if (best / name).is_dir():
                shutil.copytree(best / name, work / name, dirs_exist_ok=True)
            else:
                shutil.copy2(best / name, work / name)
        write_file(work / "metrics.json", as_json(_summary(spread, list(figures.values()))))
        _draw(spread, destination.name, work / "seeds.png")
        write_file(work / "README.md", _card(destination.name, spread, figures))
        with new_folder(settings.output, settings.overwrite) as folder:
            for entry in work.iterdir():
                if entry != unfinished.settings_file:
                    entry.rename(folder / entry.name)
        unfinished.remove()
    return spread


def _number(value: float | None) -> float:
    return float("nan") if value is None else float(value)


def _summary(spread: SeedSpread, figures: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    names = [name for name, value in figures[0].items() if isinstance(value, float) and name != "seconds"]
    columns = {name: [_number(content[name]) for content in figures] for name in names}
    return {
        "main": spread.main,
        "seeds": list(spread.values),
        "best_seed": spread.best_seed,
        "rows": spread.rows,
        "mean": {name: float(np.mean(column)) for name, column in columns.items()},
        "spread": {name: float(np.std(column, ddof=1)) for name, column in columns.items()},
        "values": columns,
    }


def _card(name: str, spread: SeedSpread, figures: Mapping[int, Mapping[str, Any]]) -> str:
    table: dict[str, list[Any]] = {
        "seed": list(spread.values),
        spread.main: list(spread.values.values()),
        "best step": [content["best_step"] for content in figures.values()],
        "run": [f"[seed_{seed}](seed_{seed}/README.md)" for seed in spread.values],
    }
    return (
        f"# {name}\n\n{len(spread.values)} seeds of one fine-tuning: {spread.main} "
        f"**{spread.mean:.4f} ± {spread.spread:.4f}** "
        f"(mean and standard deviation) on {spread.rows:,} dev rows. `model/` is that of seed {spread.best_seed}, "
        "the best; its figure alone says too much.\n\n![The seeds](seeds.png)\n\n" + markdown_table(table)
    )


def _draw(spread: SeedSpread, name: str, path: Path) -> None:
    style: Any = {**STYLE, "font.family": font_families()}
    with mpl.rc_context(style):
        figure = Figure(figsize=(6, 2.6), layout="constrained")
        axes = figure.subplots()
        values = list(spread.values.values())
        axes.axvspan(spread.mean - spread.spread, spread.mean + spread.spread, color=FAINT, alpha=0.25, linewidth=0)
        axes.axvline(spread.mean, color=FAINT, linestyle="--", linewidth=1)
        axes.scatter(values, range(len(values)), color=DEV)
        axes.set_yticks(range(len(values)), [f"seed {seed}" for seed in spread.values])
        axes.set_xlabel(f"dev {spread.main} (band: mean ± standard deviation)")
        axes.set_title(f"{name}: {spread.mean:.3f} ± {spread.spread:.3f}", parse_math=False)
        save_picture(figure, path)
