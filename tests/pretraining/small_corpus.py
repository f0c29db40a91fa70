"""A made-up corpus, and builds of it in fresh processes that load no Keras."""

import subprocess
import sys
from pathlib import Path

import numpy as np

# None of them is an abbreviation before a full stop.
WORDS = ("cat", "sat", "mat", "was", "here", "with", "some", "good", "films", "but", "not", "now", "our", "old")


def write_corpus(path: Path, documents: int, seed: int = 0) -> Path:
    """Write documents of three paragraphs, each of a few sentences."""
    rng = np.random.default_rng(seed)
    with path.open("w", encoding="utf-8") as file:
        for _ in range(documents):
            for _ in range(3):
                sentences = (" ".join(rng.choice(WORDS, rng.integers(4, 12))) for _ in range(rng.integers(1, 5)))
                file.write(" ".join(f"{sentence.capitalize()} house." for sentence in sentences) + "\n")
            file.write("\n")
    return path


# argv[0] as of the console script, so that the package loads no models.
_PROGRAM = """
import os, signal, sys
arguments = sys.argv[1:]
sys.argv = ["keras-albert"]
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it
from keras_albert.pretraining import BuildSettings, build_data
files, tokenizer, output, workers, characters, stop, signal_number = arguments
def on_progress(state):
    if state.shards == int(stop):
        os.kill(os.getpid(), int(signal_number))
settings = BuildSettings(shard_characters=int(characters))
build_data(files, tokenizer, output, settings, int(workers), on_progress=on_progress)
assert "keras" not in sys.modules
with open("/proc/self/status") as status:
    print(next(line.split()[1] for line in status if line.startswith("VmHWM")))
"""


def build_in_process(
    files: Path | str,
    tokenizer: Path,
    output: Path,
    workers: int = 1,
    characters: int = 2000,
    stop: int = -1,
    signal_number: int = 9,
) -> subprocess.CompletedProcess[str]:
    """Build data in a fresh process, which gets a signal after so many shards; it prints its highest memory in KiB."""
    arguments = [files, tokenizer, output, workers, characters, stop, int(signal_number)]
    command = [sys.executable, "-c", _PROGRAM, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)
