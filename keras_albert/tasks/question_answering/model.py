"""Extractive question answering.

`v1_model_fn_builder` and `v2_model_fn_builder` of google-research/albert squad_utils.py; paper section 4.1 (SQuAD).
"""

import warnings
from typing import Any, Literal

import keras
import keras_hub
import numpy as np

from keras_albert.backbone import AlbertBackbone
from keras_albert.presets import BUILTIN_PRESETS
from keras_albert.tasks import loading, raw_text, saving, unused_pooler
from keras_albert.tasks.question_answering.answering import AnswerSettings, answers_of
from keras_albert.tasks.question_answering.answers import QuestionAnswer
from keras_albert.tasks.question_answering.heads import HEADS, new_accuracy, new_head, new_loss
from keras_albert.tasks.question_answering.preprocessor import AlbertQuestionAnswererPreprocessor
from keras_albert.training import default_optimizer


@keras.saving.register_keras_serializable(package="keras_albert")
class AlbertQuestionAnswerer(keras_hub.models.Task):
    """Answers questions by spans of their contexts.

    `predict` takes questions with their contexts and returns a `QuestionAnswer` for each; `answer` is for one.
    `fit` and `evaluate` also take the answers; see `AlbertQuestionAnswererPreprocessor`. On arrays that the
    preprocessor made, `predict` returns the outputs of the head; see `SpanHead` and `VerifierHead`.

    Args:
        backbone: an `AlbertBackbone`.
        preprocessor: an `AlbertQuestionAnswererPreprocessor`; None for inputs that are preprocessed already.
        head: "span" scores starts and ends by themselves (Google's SQuAD 1.1); "verifier" scores ends given a start,
            and answerability (Google's SQuAD 2.0).
        null_threshold: when a question counts as unanswerable; None always answers. "verifier": answered where
            `null_score < null_threshold`; "span": unanswered where `null_score - score > null_threshold`. It may be
            set at any time, and is saved with the model.
        n_best_size: spans listed for each question, and starts and ends that the span head's search looks at.
        max_answer_length: the most tokens in an answer.
        answerability_dropout: share dropped in the verifier's answerability part, in [0, 1).

    Raises:
        ValueError: an unknown head, or a preprocessor that does not fit the backbone.

    Example:
        ```python
        answerer = keras_albert.AlbertQuestionAnswerer.from_preset("albert_base")
        answerer.fit([("Who sang?", "Ann sang.")], [{"text": "Ann", "answer_start": 0}])
        answerer.answer("Who danced?", "Bob danced.").text
        ```
    """

    backbone_cls = AlbertBackbone
    preprocessor_cls = AlbertQuestionAnswererPreprocessor
    presets = BUILTIN_PRESETS
    # Layers that a preset may hold weights for: attribute, layer and part of a checkpoint have one name. A model has
    # one of them, and names it in its own `head_names`.
    head_names: tuple[str, ...] = tuple(HEADS.values())

    # The same functions serve every task.
    fit, evaluate, predict = raw_text.fit, raw_text.evaluate, raw_text.predict
    from_preset = classmethod(loading.from_preset)
    save_to_preset = saving.save_to_preset
    save_task_weights, load_task_weights = saving.save_task_weights, saving.load_task_weights
    compile_from_config, quantize = saving.compile_from_config, saving.quantize
    trainable_variables = unused_pooler.trainable_variables
    non_trainable_variables = unused_pooler.non_trainable_variables
    trainable_weights = unused_pooler.trainable_weights
    non_trainable_weights = unused_pooler.non_trainable_weights

    def __init__(
        self,
        backbone: AlbertBackbone,
        preprocessor: AlbertQuestionAnswererPreprocessor | None = None,
        head: Literal["span", "verifier"] = "span",
        null_threshold: float | None = None,
        n_best_size: int = 20,
        max_answer_length: int = 30,
        answerability_dropout: float = 0.1,
        **kwargs: Any,
    ) -> None:
        if head not in HEADS:
            raise ValueError(f"Expected head to be one of {sorted(HEADS)}. Received: head={head!r}")
        for name, value in (("n_best_size", n_best_size), ("max_answer_length", max_answer_length)):
            if value < 1:
                raise ValueError(f"Expected {name} to be at least 1. Received: {name}={value}")
        loading.check_fit(backbone, preprocessor)

        # === Layers ===
        answer_head = new_head(head, backbone, answerability_dropout)

        # === Functional model ===
        inputs = dict(backbone.input)
        sequence_output = backbone(backbone.input)["sequence_output"]
        if head == "span":
            outputs = answer_head(sequence_output)
        else:
            inputs["answer_mask"] = keras.Input(shape=(None,), dtype="int32", name="answer_mask")
            inputs["start_position"] = keras.Input(shape=(), dtype="int32", name="start_position")
            outputs = answer_head(sequence_output, inputs["answer_mask"], inputs["start_position"])

        # === Config ===
        self.backbone = backbone
        self.preprocessor = preprocessor
        setattr(self, HEADS[head], answer_head)
        self.head_names = (HEADS[head],)
        self.head = head
        self.null_threshold = null_threshold
        self.n_best_size = n_best_size
        self.max_answer_length = max_answer_length
        self.answerability_dropout = answerability_dropout
        super().__init__(inputs=inputs, outputs=outputs, **kwargs)

    def call(self, inputs: Any, training: bool | None = None, mask: Any = None) -> Any:
        """Run the model; what the preprocessor makes for the other head is left out."""
        if isinstance(inputs, dict):
            inputs = {name: inputs[name] for name in self.input if name in inputs}
        return super().call(inputs, training=training, mask=mask)

    @property
    def label_names(self) -> tuple[str, ...]:
        """The labels that the head is trained on."""
        return ("start", "end") if self.head == "span" else ("start", "end", "unanswerable")

    def compute_loss(self, x: Any = None, y: Any = None, y_pred: Any = None, *args: Any, **kwargs: Any) -> Any:
        """Compute the loss; labels of the other head and the beam have no part in it."""
        return super().compute_loss(x, self._labelled(y), self._labelled(y_pred), *args, **kwargs)

    def compute_metrics(self, x: Any, y: Any, y_pred: Any, sample_weight: Any = None) -> dict[str, Any]:
        """Update the metrics; labels of the other head and the beam have no part in them."""
        return super().compute_metrics(x, self._labelled(y), self._labelled(y_pred), sample_weight)

    def _labelled(self, values: Any) -> Any:
        return {name: values[name] for name in self.label_names} if isinstance(values, dict) else values

    def compile(
        self,
        optimizer: Any = "auto",
        loss: Any = "auto",
        *,
        loss_weights: Any = "auto",
        metrics: Any = "auto",
        **kwargs: Any,
    ) -> None:
        """Configure training; arguments as of `keras.Model.compile`.

        Args:
            optimizer: "auto" is AdamW with warm-up and clipping (`keras_albert.training.default_optimizer`).
            loss: "auto" is cross-entropy of start and end over all positions, and binary cross-entropy of "no answer"
                for the verifier.
            loss_weights: "auto" is 0.5 for each, as in Google's code.
            metrics: "auto" is the accuracy of each.
            **kwargs: see `keras.Model.compile`.
        """
        labels = self.label_names
        if optimizer == "auto":
            optimizer = default_optimizer(self.backbone.hidden_dim)
        if loss_weights == "auto":
            loss_weights = dict.fromkeys(labels, 0.5) if loss == "auto" else None
        if loss == "auto":
            loss = {name: new_loss(name) for name in labels}
        if metrics == "auto":
            metrics = {name: [new_accuracy(name)] for name in labels}
        super().compile(optimizer=optimizer, loss=loss, loss_weights=loss_weights, metrics=metrics, **kwargs)

    def answer(self, question: str, context: str) -> QuestionAnswer:
        """Answer one question.

        Args:
            question: the question.
            context: the text that may hold the answer.

        Raises:
            ValueError: no preprocessor, or something that is not text.
        """
        if self.preprocessor is None:
            raise ValueError("Answering text needs a preprocessor: pass one to the constructor. Received: None")
        return self.predict([(question, context)], verbose=0)[0]

    def finish(self, outputs: dict[str, np.ndarray], encoded: Any) -> list[QuestionAnswer]:
        """Turn the outputs of all windows into one answer for each question."""
        if self._is_untrained():
            warnings.warn(
                f"The {self.head_names[0]} was never trained or loaded: its answers are random. Call `fit`, or load a "
                "preset that holds its weights.",
                stacklevel=3,
            )
        settings = AnswerSettings(self.null_threshold, self.n_best_size, self.max_answer_length)
        return answers_of(outputs, encoded, settings)

    def _is_untrained(self) -> bool:
        # Every bias starts at exactly zero, and a step of training moves it.
        weights = getattr(self, self.head_names[0]).weights
        return not any(np.any(keras.ops.convert_to_numpy(w)) for w in weights if w.name in ("bias", "beta"))

    def get_config(self) -> dict[str, Any]:
        """Return the constructor's arguments."""
        return super().get_config() | {
            "head": self.head,
            "null_threshold": self.null_threshold,
            "n_best_size": self.n_best_size,
            "max_answer_length": self.max_answer_length,
            "answerability_dropout": self.answerability_dropout,
        }
