"""Fine-tuning: readers of labelled data, kinds of tasks, the training run, evaluation and prediction."""

from keras_albert.finetuning.inference import Trained, run_configuration
from keras_albert.finetuning.kinds import KINDS, Classification, Kind, kind_from_dict
from keras_albert.finetuning.metrics.metrics import Metrics
from keras_albert.finetuning.output_tables import check_ending, table_text, write_table
from keras_albert.finetuning.pictures import draw_run
from keras_albert.finetuning.readers.examples import Examples, class_names_of
from keras_albert.finetuning.readers.rows import Rows
from keras_albert.finetuning.readers.tables import read_examples
from keras_albert.finetuning.result import FineTuned
from keras_albert.finetuning.run import finetune
from keras_albert.finetuning.seeds import SeedSpread, finetune_with_seeds
from keras_albert.finetuning.settings import FineTuning
from keras_albert.presets.output_folder import (
    OutputError,
    check_destination,
    check_space,
    new_folder,
    write_file,
    writing,
)

__all__ = [
    "KINDS",
    "Classification",
    "Examples",
    "FineTuned",
    "FineTuning",
    "Kind",
    "Metrics",
    "OutputError",
    "Rows",
    "SeedSpread",
    "Trained",
    "check_destination",
    "check_ending",
    "check_space",
    "class_names_of",
    "draw_run",
    "finetune",
    "finetune_with_seeds",
    "kind_from_dict",
    "new_folder",
    "read_examples",
    "run_configuration",
    "table_text",
    "write_file",
    "write_table",
    "writing",
]
