"""What every kind of labelled data in memory has in common: columns of one length."""

import hashlib
from dataclasses import dataclass, field, fields, replace
from typing import Any, Self

import numpy as np


@dataclass(frozen=True)
class Rows:
    """Columns of one length; a subclass names them. Fields that are lists are columns, others belong to all rows.

    Args:
        source: where the rows come from, for messages.

    Raises:
        ValueError: no row at all, or columns of different lengths.
    """

    source: str = field(default="the rows", kw_only=True)

    def __post_init__(self) -> None:
        """Check the numbers of rows."""
        lengths = {name: len(column) for name, column in self.columns().items()}
        if not all(lengths.values()):
            raise ValueError(f"Expected at least one row in {self.source}. Received: none")
        if len(set(lengths.values())) > 1:
            raise ValueError(f"Expected columns of one length in {self.source}. Received: {lengths}")

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(next(iter(self.columns().values())))

    def columns(self) -> dict[str, list[Any]]:
        """Return the columns that there are, by name."""
        columns = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: column for name, column in columns.items() if isinstance(column, list)}

    def digest(self) -> str:
        """Return a fingerprint of the content of all columns."""
        digest = hashlib.sha256()
        for name, column in self.columns().items():
            digest.update(name.encode())
            for value in column:
                digest.update(repr(value).encode("utf-8", "surrogatepass"))
        return digest.hexdigest()

    def take(self, rows: Any) -> Self:
        """Return some rows.

        Args:
            rows: their indices, int (K,).
        """
        chosen = np.asarray(rows).tolist()
        columns: dict[str, Any] = {name: [column[row] for row in chosen] for name, column in self.columns().items()}
        return replace(self, **columns)

    def sample(self, rows: int | None, seed: int) -> Self:
        """Draw rows at random and keep them in their order, so that files sorted by label serve as well.

        Args:
            rows: how many at most; None for all.
            seed: the same seed draws the same rows.

        Raises:
            ValueError: fewer than one row.
        """
        if rows is not None and rows < 1:
            raise ValueError(f"Expected at least one row. Received: rows={rows}")
        if rows is None or rows >= len(self):
            return self
        return self.take(np.sort(np.random.default_rng(seed).choice(len(self), rows, replace=False)))
