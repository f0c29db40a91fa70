"""Questions joined with their options, and the token ids of multiple-choice examples before they are packed.

`RaceProcessor` of google-research/albert race_utils.py.
"""

from dataclasses import dataclass

import numpy as np

from keras_albert.text.packing import TokenRows

# Google looks for "_" after NFKD, which makes one of each of these.
_BLANKS = str.maketrans(dict.fromkeys("\ufe33\ufe34\ufe4d\ufe4e\ufe4f\uff3f", "_"))


def question_with_option(question: str, option: str) -> str:
    """Return a question with an option in the place of each of its blanks (`_`), or behind it where it has none.

    Example:
        >>> question_with_option("The sky is  _ .", "blue"), question_with_option("Is it blue?", "yes")
        ('The sky is blue .', 'Is it blue? yes')
    """
    # Collapsed as the tokenizer does, but before the option goes in: "so_." with " big " is "sobig.".
    question = " ".join(question.translate(_BLANKS).split())
    option = " ".join(option.split())
    return question.replace("_", option) if "_" in question else f"{question} {option}"


@dataclass(frozen=True)
class EncodedChoices:
    """Token ids of N multiple-choice examples, neither packed nor with their contexts cut yet.

    Args:
        contexts: each different context once.
        context_rows: the row of `contexts` of each example, int (N,).
        endings: the question with each option, at most `max_option_length` tokens; all options of all examples.
        offsets: example `i` has the rows `offsets[i]` to `offsets[i + 1]` of `endings`, int (N + 1,).
        shortened: whether an ending of the example had more tokens, bool (N,).
    """

    contexts: TokenRows
    context_rows: np.ndarray
    endings: TokenRows
    offsets: np.ndarray
    shortened: np.ndarray

    def __len__(self) -> int:
        return len(self.context_rows)

    @property
    def option_counts(self) -> np.ndarray:
        """Number of options of each example, int (N,)."""
        return np.diff(self.offsets)

    @property
    def lengths(self) -> np.ndarray:
        """Length of each example's longest packed row before its context is cut, int64 (N,)."""
        longest_endings = np.maximum.reduceat(self.endings.lengths, self.offsets[:-1])
        return self.contexts.lengths[self.context_rows] + longest_endings + 3
