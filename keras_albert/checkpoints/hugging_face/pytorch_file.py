"""Reading the tensors of a `pytorch_model.bin` and nothing else: no code that is pickled in it runs."""

import zipfile
from pathlib import Path
from typing import Any

import numpy as np

_ADVICE = "Save the model as safetensors (`save_pretrained` of transformers does) and pass that."


class PytorchReader:
    """Reads tensors of a file that `torch.save` wrote, with PyTorch's loader for weights only.

    The file is mapped into memory, so that only what is read takes any.

    Args:
        path: The file.

    Raises:
        ImportError: If PyTorch is not installed.
        ValueError: If the file is damaged, holds something else than a dictionary of tensors, or unpacks to more than
            its own size.
    """

    def __init__(self, path: Path) -> None:
        """Opens the file and lists its tensors."""
        try:
            import torch
        except ImportError as error:
            raise ImportError(f"Reading {path} needs PyTorch: pip install keras-albert[torch]. {_ADVICE}") from error
        self._path = path
        self.skipped: dict[str, str] = {}
        is_zip = zipfile.is_zipfile(path)
        if is_zip:
            _check_size(path)
        try:
            # Files of before PyTorch 1.6 are no archives and cannot be mapped.
            loaded = torch.load(path, map_location="cpu", weights_only=True, mmap=True if is_zip else None)
        except Exception as error:  # the loader raises whatever its parts do
            reason = str(error).splitlines()[0][:200] if str(error) else type(error).__name__
            raise ValueError(
                f"Cannot read the tensors of {path}: {reason}. The file is damaged, or holds other objects than "
                f"tensors, which are never loaded since that could run any code. {_ADVICE}"
            ) from error
        if not isinstance(loaded, dict) or not all(isinstance(value, torch.Tensor) for value in loaded.values()):
            raise ValueError(
                f"Expected a dictionary of tensors in {path}. Received: {_kinds(loaded)}. Pass the file that "
                "`save_pretrained` of transformers wrote."
            )
        self._tensors: dict[str, Any] = loaded
        self.shapes = {name: tuple(tensor.shape) for name, tensor in loaded.items()}

    def read(self, name: str) -> np.ndarray:
        """Reads one tensor; bfloat16, which NumPy lacks, becomes float32."""
        tensor = self._tensors[name].detach()
        return np.array(tensor.float() if tensor.dtype.is_floating_point and tensor.element_size() < 4 else tensor)

    def spelled(self, name: str) -> str:
        """The name itself."""
        return name


def _check_size(path: Path) -> None:
    """PyTorch stores its archives uncompressed: one that would unpack to more was made to fill the memory."""
    try:
        with zipfile.ZipFile(path) as archive:
            unpacked = sum(member.file_size for member in archive.infolist())
    except zipfile.BadZipFile as error:
        raise ValueError(f"Cannot read {path}: {error}. It is damaged: copy or download it again.") from error
    if unpacked > path.stat().st_size:
        raise ValueError(
            f"Expected an uncompressed archive in {path}. Received: {path.stat().st_size:,} bytes that unpack to "
            f"{unpacked:,}. {_ADVICE}"
        )


def _kinds(loaded: Any) -> str:
    if not isinstance(loaded, dict):
        return type(loaded).__name__
    return "a dictionary of " + ", ".join(sorted({type(value).__name__ for value in loaded.values()})[:5])
