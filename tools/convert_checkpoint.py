"""Convert a checkpoint: the same as `keras-albert convert`, from a clone.

python tools/convert_checkpoint.py albert_base_v2.tar.gz my_albert --to huggingface
"""

import sys

if __name__ == "__main__":
    # The package loads Keras later, where it is started by its command's name.
    sys.argv = ["keras-albert", "convert", *sys.argv[1:]]
    from keras_albert.cli import main

    sys.exit(main())
