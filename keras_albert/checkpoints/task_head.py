"""What an origin says of the task that its model was trained for."""

from dataclasses import dataclass


@dataclass(frozen=True)
class TaskHead:
    """The head of a task, with what a checkpoint's arrays do not tell.

    Args:
        name: The head's name in the task that it belongs to: `"classifier_head"`, `"regressor_head"`, `"choice_head"`,
            `"tag_head"`, `"span_head"`, `"masked_lm_head"` or `"sentence_order_head"` (which stands for both heads of
            pretraining).
        class_names: The classes' or tags' names; `None` if they have none.
        dropout: The share of the head's input dropped in training; `None` if it is not known.
        is_multi_label: Whether a text may have several classes.
        layer_norm_epsilon: That of the masked LM head; `None` if it is the backbone's.
    """

    name: str
    class_names: tuple[str, ...] | None = None
    dropout: float | None = None
    is_multi_label: bool = False
    layer_norm_epsilon: float | None = None
