"""Write a pretrained model in the small form that is bundled with the package.

    python tools/make_preset.py RUN/model OUTPUT --dtype float16

OUTPUT gets `albert_config.json`, `google_variables.safetensors` (the weights under Google's names, both heads
included) and the tokenizer's file. Every `from_preset` loads such a folder, and needs no TensorFlow for it.
"""

import argparse
import json
import shutil
import sys

from safetensors.numpy import save_file

import keras_albert
from keras_albert.checkpoints import SAFETENSORS_NAME, google_variables, to_google_config
from keras_albert.presets.output_folder import new_folder


def make_preset(source: str, output: str, dtype: str = "float16", overwrite: bool = False) -> None:
    """Write the folder.

    Args:
        source: a preset with both pretraining heads.
        output: the folder to make.
        dtype: what the weights are stored in.
        overwrite: whether a folder that is there is replaced.
    """
    model = keras_albert.AlbertPretrainer.from_preset(source)
    tokenizer = model.preprocessor.tokenizer
    config = model.backbone.get_config()
    parts = {"backbone": model.backbone} | {name: getattr(model, name) for name in model.head_names}
    with new_folder(output, overwrite) as folder:
        content = to_google_config(config) | {"do_lower_case": tokenizer.lowercase}
        (folder / "albert_config.json").write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
        save_file(google_variables(config, parts, dtype), folder / SAFETENSORS_NAME)
        shutil.copymode(folder / "albert_config.json", folder / SAFETENSORS_NAME)  # others may read it too
        tokenizer.save_assets(str(folder))
        for file in folder.glob("vocabulary.spm"):
            file.rename(folder / "spiece.model")


def main() -> int:
    """Run the script."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("source", help="a preset with both pretraining heads")
    parser.add_argument("output", help="the folder to make")
    parser.add_argument("--dtype", default="float16", choices=("float16", "float32"))
    parser.add_argument("--overwrite", action="store_true")
    options = parser.parse_args()
    try:
        make_preset(options.source, options.output, options.dtype, options.overwrite)
    except (ValueError, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
