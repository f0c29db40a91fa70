"""Data that are not whole yet: the folder `OUTPUT.unfinished` with what is done, and a journal of it."""

import contextlib
import hashlib
import json
import shutil
from dataclasses import asdict
from pathlib import Path
from typing import Any

import filelock

from keras_albert.presets.output_folder import check_destination, write_file, writing
from keras_albert.pretraining.manifest import Manifest, ShardRecord
from keras_albert.pretraining.shards import is_intact

SHARDS_FOLDER = "shards"
_SETTINGS_FILE, _JOURNAL_FILE, _LOCK_FILE = "settings.json", "journal.jsonl", "lock"
_DIGEST_BYTES = 2**16


class UnfinishedData:
    """The folder beside the one to be; use it as a context, which keeps other builds out.

    Args:
        output: the folder to be.
        overwrite: whether that may be replaced; what is not whole is dropped then, too.

    Raises:
        FileExistsError: the output is there already.
    """

    def __init__(self, output: str | Path, overwrite: bool = False) -> None:
        self._output = output
        self._overwrite = overwrite
        self.destination = check_destination(output, overwrite)
        self.folder = self.destination.with_name(f"{self.destination.name}.unfinished")
        self._lock = filelock.FileLock(self.folder / _LOCK_FILE, timeout=0)

    def __enter__(self) -> "UnfinishedData":
        with writing(self._output):
            self.folder.mkdir(parents=True, exist_ok=True)
            try:
                self._lock.acquire()
            except filelock.Timeout:
                raise ValueError(
                    f"Another process builds {self._output} at this moment. Name another output."
                ) from None
            if self._overwrite:
                (self.folder / _SETTINGS_FILE).unlink(missing_ok=True)
                (self.folder / _JOURNAL_FILE).unlink(missing_ok=True)
            (self.folder / SHARDS_FOLDER).mkdir(exist_ok=True)
        return self

    def __exit__(self, *error: object) -> None:
        self._lock.release()

    def start(self, settings: dict[str, Any]) -> None:
        """Take up what is there, or begin.

        Args:
            settings: everything that decides the content, as JSON takes it.

        Raises:
            ValueError: what is there was made with other settings, or from other files.
            OutputError: the folder cannot be written.
        """
        path = self.folder / _SETTINGS_FILE
        wanted = json.loads(json.dumps(settings))
        if not path.is_file():
            write_file(path, json.dumps(wanted, indent=1))
            return
        stored = json.loads(path.read_text(encoding="utf-8"))
        different = sorted(name for name in stored | wanted if stored.get(name) != wanted.get(name))
        if different:
            shown = ", ".join(
                f"{name}={_short(stored.get(name))} (now {_short(wanted.get(name))})" for name in different
            )
            raise ValueError(
                f"{self.folder} holds an unfinished build with other settings: {shown}. Repeat those to go on with it, "
                "or drop it (`--overwrite`; `overwrite=True` in Python), or name another output."
            )

    def done(self) -> dict[int, ShardRecord]:
        """Return the records of the files that are whole, by their numbers; other files are removed."""
        records: dict[int, ShardRecord] = {}
        journal = self.folder / _JOURNAL_FILE
        for line in journal.read_bytes().splitlines() if journal.is_file() else []:
            with contextlib.suppress(ValueError):  # the last line may be cut off
                number, content = json.loads(line)
                records[number] = ShardRecord(**content)
        intact = {
            number: shard for number, shard in records.items() if not shard.bytes or is_intact(self.folder, shard)
        }
        with writing(self._output):
            kept = {self.folder / shard.file for shard in intact.values()}
            for path in (self.folder / SHARDS_FOLDER).iterdir():
                if path not in kept:
                    path.unlink()
            lines = [json.dumps([number, asdict(shard)]) for number, shard in intact.items()]
            journal.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        return intact

    def temporary(self, file: str) -> Path:
        """Return where to write a file before it gets its name."""
        return self.folder / f"{file}.part"

    def add(self, number: int, record: ShardRecord) -> None:
        """Give a file its name, and note it in the journal.

        Raises:
            OutputError: the folder cannot be written.
        """
        with writing(self._output):
            if record.bytes:
                self.temporary(record.file).replace(self.folder / record.file)
            with (self.folder / _JOURNAL_FILE).open("a", encoding="utf-8") as journal:
                journal.write(json.dumps([number, asdict(record)]) + "\n")

    def finish(self, manifest: Manifest) -> None:
        """Write the manifest, and give the folder its name.

        Raises:
            OutputError: the folder cannot be written.
        """
        manifest.write(self.folder)
        self._lock.release()
        with writing(self._output):
            old = self.destination.with_name(f".{self.destination.name}.old")
            if self.destination.is_dir():
                shutil.rmtree(old, ignore_errors=True)
                self.destination.rename(old)
            self.folder.rename(self.destination)
            for name in (_SETTINGS_FILE, _JOURNAL_FILE, _LOCK_FILE):
                (self.destination / name).unlink(missing_ok=True)
            shutil.rmtree(old, ignore_errors=True)

    def remove(self) -> None:
        """Remove the folder."""
        shutil.rmtree(self.folder, ignore_errors=True)


def source_record(path: Path) -> dict[str, Any]:
    """Describe a file: its name, its size, and a checksum of its size, its beginning and its end."""
    size = path.stat().st_size
    with path.open("rb") as file:
        digest = hashlib.sha256(str(size).encode() + file.read(_DIGEST_BYTES))
        file.seek(max(0, size - _DIGEST_BYTES))
        digest.update(file.read(_DIGEST_BYTES))
    return {"name": str(path), "bytes": size, "digest": digest.hexdigest()}


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:60]}…"
