"""What a question gets for an answer."""

from dataclasses import dataclass

# Stand for "no span" and "no answer" where a context has nothing to choose from; `write_predictions_v2` of
# google-research/albert squad_utils.py uses the same size.
NO_SPAN_SCORE = -1e6
NO_ANSWER_ODDS = 1e6


@dataclass(frozen=True)
class AnswerSpan:
    """A span of a context that may answer a question.

    Args:
        text: `context[start:end]`, exactly.
        start: index of its first character in the context.
        end: index behind its last character; `start <= end <= len(context)`.
        score: sum of the scores of its first and its last token: logits (span head) or log-probabilities, at most 0
            (verifier head).
        probability: softmax of the score over the spans listed for the question, in (0, 1].
    """

    text: str
    start: int
    end: int
    score: float
    probability: float


@dataclass(frozen=True)
class QuestionAnswer:
    """The answer to a question.

    Args:
        text: the best span's text, exactly `context[start:end]`; "" where the question is taken for unanswerable.
        start: index of its first character in the context; 0 where there is no answer.
        end: index behind its last character; 0 where there is no answer.
        score: score of the best span, answered or not; -1e6 where the context has no span.
        null_score: how strongly the model says that there is no answer, the least of the context's windows: the sum of
            both logits at `[CLS]` (span head), or the logit of the answerability class (verifier head).
        null_odds: what is compared with `null_threshold`: `null_score - score` (span head) or `null_score` (verifier
            head); 1e6 where the context has no span.
        n_best: the best spans with different texts, best first; never empty where the context has a visible token.
    """

    text: str
    start: int
    end: int
    score: float
    null_score: float
    null_odds: float
    n_best: tuple[AnswerSpan, ...]

    @property
    def is_answered(self) -> bool:
        """Whether the question has an answer."""
        return self.end > self.start
