"""Loading Keras when a command needs it, without the messages of TensorFlow's C++ code."""

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def loading() -> Iterator[None]:
    """Keep what is written to the standard error during imports, and show it only where one of them fails.

    TensorFlow reports on its instruction sets and on absent GPUs there, whatever TF_CPP_MIN_LOG_LEVEL says.
    """
    sys.stderr.flush()
    with tempfile.TemporaryFile() as kept:
        stderr = os.dup(2)
        os.dup2(kept.fileno(), 2)
        try:
            yield
        except Exception as error:
            if not isinstance(error, ImportError):
                kept.seek(0)
                os.write(stderr, kept.read())
            raise
        finally:
            os.dup2(stderr, 2)
            os.close(stderr)
