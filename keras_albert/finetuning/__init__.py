"""Fine-tuning: readers of labelled data, kinds of tasks, the training run, evaluation and prediction."""

from keras_albert.finetuning.inference import Trained, run_configuration
from keras_albert.finetuning.kinds import KINDS, Classification, Kind, kind_from_dict
from keras_albert.finetuning.metrics.metrics import Metrics
from keras_albert.finetuning.named_tasks import NAMED_TASKS, NamedTask, named_task
from keras_albert.finetuning.output_tables import ENDINGS, check_ending, table_text, write_table, write_table_in_parts
from keras_albert.finetuning.pictures import draw_run
from keras_albert.finetuning.readers.examples import Examples, class_names_of
from keras_albert.finetuning.readers.rows import Rows
from keras_albert.finetuning.readers.tables import read_examples
from keras_albert.finetuning.result import FineTuned
from keras_albert.finetuning.run import finetune
from keras_albert.finetuning.seeds import SeedSpread, finetune_with_seeds
from keras_albert.finetuning.settings import FineTuning
from keras_albert.finetuning.sources import KINDS_OF_FILES, Source, file_kind_of, read_file, stream_file
from keras_albert.finetuning.submission import submission_text
from keras_albert.presets.output_folder import (
    OutputError,
    check_destination,
    check_space,
    new_folder,
    write_file,
    writing,
)

__all__ = [
    "ENDINGS",
    "KINDS",
    "KINDS_OF_FILES",
    "NAMED_TASKS",
    "Classification",
    "Examples",
    "FineTuned",
    "FineTuning",
    "Kind",
    "Metrics",
    "NamedTask",
    "OutputError",
    "Rows",
    "SeedSpread",
    "Source",
    "Trained",
    "check_destination",
    "check_ending",
    "check_space",
    "class_names_of",
    "draw_run",
    "file_kind_of",
    "finetune",
    "finetune_with_seeds",
    "kind_from_dict",
    "named_task",
    "new_folder",
    "read_examples",
    "read_file",
    "run_configuration",
    "stream_file",
    "submission_text",
    "table_text",
    "write_file",
    "write_table",
    "write_table_in_parts",
    "writing",
]
