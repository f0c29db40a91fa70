"""Fine-tuning: readers of labelled texts, the training run, evaluation and prediction."""

from keras_albert.finetuning.examples import Examples, class_names_of
from keras_albert.finetuning.glue import GLUE_TASKS, GlueTask, glue_task, read_glue
from keras_albert.finetuning.inference import evaluate, predict
from keras_albert.finetuning.metrics import ClassificationMetrics, classification_metrics
from keras_albert.finetuning.pictures import draw_run
from keras_albert.finetuning.predictions import Predictions, check_ending, prediction_table
from keras_albert.finetuning.readers import read_examples
from keras_albert.finetuning.result import FineTuned
from keras_albert.finetuning.run import finetune
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
    "GLUE_TASKS",
    "ClassificationMetrics",
    "Examples",
    "FineTuned",
    "FineTuning",
    "GlueTask",
    "OutputError",
    "Predictions",
    "check_destination",
    "check_ending",
    "check_space",
    "class_names_of",
    "classification_metrics",
    "draw_run",
    "evaluate",
    "finetune",
    "glue_task",
    "new_folder",
    "predict",
    "prediction_table",
    "read_examples",
    "read_glue",
    "write_file",
    "writing",
]
