"""Multiple choice on raw text: which of some options answers a question about a context.

`create_model` of google-research/albert race_utils.py; paper section 4.1 (RACE).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import keras
import keras_hub
import numpy as np

from keras_albert.backbone import AlbertBackbone
from keras_albert.layers import Dropout, class_head
from keras_albert.presets import BUILTIN_PRESETS
from keras_albert.tasks import loading, raw_text, saving
from keras_albert.tasks.multiple_choice.columns import check_labels, label_numbers
from keras_albert.tasks.multiple_choice.encoded import EncodedChoices
from keras_albert.tasks.multiple_choice.options import MergeOptions, SplitOptions
from keras_albert.tasks.multiple_choice.preprocessor import AlbertMultipleChoicePreprocessor
from keras_albert.training import default_optimizer


@dataclass(frozen=True)
class Choice:
    """The option that a model chose.

    Args:
        index: its position, from 0.
        option: the option itself.
        probability: its probability, in [0, 1].
        probabilities: those of all options, in their order; they sum to 1.
    """

    index: int
    option: str
    probability: float
    probabilities: tuple[float, ...]


@keras.saving.register_keras_serializable(package="keras_albert")
class AlbertMultipleChoice(keras_hub.models.Task):
    """Chooses among options: each is packed with the context, encoded and scored by itself from the pooled output.

    Called on `token_ids`, `segment_ids` and `padding_mask`, each int32 (B, C, S), it returns logits, float (B, C). The
    number of options C may differ between calls. An option whose row of `padding_mask` is zeros is absent: its logit is
    -10000, so that it never wins and takes no probability.

    `fit`, `evaluate` and `predict` take raw text: a tuple of columns `(contexts, questions, options)`, or a list of
    objects with `context`, `question` and `options`; two options or more, of any number in each example. Labels are
    the positions of the right options from 0, or letters from A. `predict` returns logits, float (N, most options),
    with -inf for options that an example lacks. A batch of B examples runs B * C rows through the encoder.

    Args:
        backbone: an `AlbertBackbone`.
        preprocessor: an `AlbertMultipleChoicePreprocessor`; None for inputs that are preprocessed already.
        choice_dropout: share of the pooled output dropped while training, in [0, 1); its own rate, 0.1 in Google's code
            also where the encoder has none.

    Raises:
        ValueError: a preprocessor that doesn't fit the backbone.

    Example:
        ```python
        model = keras_albert.AlbertMultipleChoice.from_preset("albert_base")
        model.fit((contexts, questions, options), labels)
        model.choose("It has rained since Monday.", "The ground is _ .", ["dry", "wet"]).option
        ```
    """

    backbone_cls = AlbertBackbone
    preprocessor_cls = AlbertMultipleChoicePreprocessor
    presets = BUILTIN_PRESETS
    # Layers that a preset may hold weights for: attribute, layer and part of a checkpoint have one name.
    head_names = ("choice_head",)

    # The same functions serve every task.
    from_preset = classmethod(loading.from_preset)
    save_to_preset = saving.save_to_preset
    save_task_weights, load_task_weights = saving.save_task_weights, saving.load_task_weights
    compile_from_config, quantize = saving.compile_from_config, saving.quantize

    def __init__(
        self,
        backbone: AlbertBackbone,
        preprocessor: AlbertMultipleChoicePreprocessor | None = None,
        choice_dropout: float = 0.1,
        **kwargs: Any,
    ) -> None:
        loading.check_fit(backbone, preprocessor)

        # === Layers ===
        dropout = Dropout(choice_dropout, dtype=backbone.dtype_policy, name="choice_dropout")
        head = class_head(1, backbone.initializer_range, backbone.dtype_policy, name="choice_head")
        merge_options = MergeOptions(name="merge_options")
        split_options = SplitOptions(dtype=backbone.dtype_policy, name="split_options")

        # === Functional model ===
        inputs = {name: keras.Input(shape=(None, None), dtype="int32", name=name) for name in backbone.input}
        rows = {name: merge_options(array) for name, array in inputs.items()}  # (B * C, S)
        scores = head(dropout(backbone(rows)["pooled_output"]))  # (B * C, 1)
        logits = split_options(scores, inputs["padding_mask"])  # (B, C)

        # === Config ===
        self.backbone = backbone
        self.preprocessor = preprocessor
        self.choice_head = head
        self.choice_dropout = choice_dropout
        super().__init__(inputs=inputs, outputs=logits, **kwargs)

    def __call__(self, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        """Return the logits, float (B, C).

        Raises:
            ValueError: an input that is not (B, C, S).
        """
        _check_rank(inputs)
        return super().__call__(inputs, *args, **kwargs)

    def compile(self, optimizer: Any = "auto", loss: Any = "auto", *, metrics: Any = "auto", **kwargs: Any) -> None:
        """Configure training; arguments as of `keras.Model.compile`.

        Args:
            optimizer: "auto" is AdamW with warm-up and clipping (`keras_albert.training.default_optimizer`).
            loss: "auto" is cross-entropy over the options.
            metrics: "auto" is accuracy.
            **kwargs: see `keras.Model.compile`.
        """
        if optimizer == "auto":
            optimizer = default_optimizer(self.backbone.hidden_dim)
        if loss == "auto":
            loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
        if metrics == "auto":
            metrics = [keras.metrics.SparseCategoricalAccuracy(name="accuracy")]
        super().compile(optimizer=optimizer, loss=loss, metrics=metrics, **kwargs)

    def fit(self, x: Any = None, y: Any = None, *args: Any, **kwargs: Any) -> keras.callbacks.History:
        """Train on raw examples or preprocessed arrays; arguments as of `keras_albert.tasks.raw_text.fit`.

        Raises:
            ValueError: inputs of another shape, or labels that are no options of their examples.
        """
        _check_arrays(x, y)
        validation = kwargs.get("validation_data")
        if isinstance(validation, tuple) and len(validation) > 1:
            _check_arrays(*validation[:2])
        return raw_text.fit(self, x, y, *args, **kwargs)

    def evaluate(self, x: Any = None, y: Any = None, *args: Any, **kwargs: Any) -> Any:
        """Compute loss and metrics; arguments and errors as of `fit`."""
        _check_arrays(x, y)
        return raw_text.evaluate(self, x, y, *args, **kwargs)

    def predict(self, x: Any, *args: Any, **kwargs: Any) -> Any:
        """Return logits, float (N, most options), in the order of the examples.

        Absent options have -inf for raw examples, and -10000 for preprocessed arrays.
        """
        _check_arrays(x)
        return raw_text.predict(self, x, *args, **kwargs)

    def finish(self, outputs: np.ndarray, encoded: EncodedChoices) -> np.ndarray:
        """Mark the options that an example lacks by a logit of -inf."""
        is_present = np.arange(outputs.shape[1]) < encoded.option_counts[:, None]
        return np.where(is_present, outputs, np.array(-np.inf, outputs.dtype))

    def prepare_labels(self, y: Any) -> np.ndarray:
        """Turn letters into positions; see `fit`."""
        return label_numbers(y)

    def choose(self, context: str, question: str, options: Sequence[str]) -> Choice:
        """Answer one question.

        Args:
            context: the text that the question is about; it may be empty.
            question: the question, possibly with `_` where the option belongs.
            options: at least two.

        Raises:
            ValueError: fewer options, or a model without a preprocessor.
        """
        if self.preprocessor is None:
            raise ValueError("Expected a model with a preprocessor to choose on raw text. Received: preprocessor=None")
        example = {"context": context, "question": question, "options": options}
        logits = np.asarray(self.predict([example], verbose=0)[0], "float64")
        powers = np.exp(logits - logits.max())
        probabilities = tuple((powers / powers.sum()).tolist())
        index = int(logits.argmax())
        return Choice(index, options[index], probabilities[index], probabilities)

    def get_config(self) -> dict[str, Any]:
        """Return the constructor's arguments."""
        return super().get_config() | {"choice_dropout": self.choice_dropout}


def _check_rank(inputs: Any) -> None:
    for name, array in inputs.items() if isinstance(inputs, dict) else ():
        shape = getattr(array, "shape", None)
        if shape is not None and len(shape) != 3:
            raise ValueError(
                f"Expected {name} of shape (examples, options, tokens). Received: {name}.shape={tuple(shape)}"
            )


def _check_arrays(x: Any, y: Any = None) -> None:
    """Check preprocessed arrays and their labels before Keras compiles anything for them."""
    if not isinstance(x, dict) or "token_ids" not in x:
        return
    arrays = {name: np.asarray(array) for name, array in x.items() if isinstance(array, list | np.ndarray)}
    _check_rank(arrays)
    if y is not None and "padding_mask" in arrays:
        is_present = arrays["padding_mask"].any(axis=-1)  # (N, C)
        check_labels(label_numbers(y), (is_present * np.arange(1, is_present.shape[1] + 1)).max(axis=-1))
