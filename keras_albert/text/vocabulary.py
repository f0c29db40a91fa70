"""Training of a SentencePiece vocabulary for a new ALBERT.

Settings of the section "SentencePiece" in the README of google-research/albert, which made the released `30k-clean`;
paper section 4.1 (30,000 pieces).
"""

import io
import re
from collections.abc import Iterable, Iterator

import sentencepiece

from keras_albert.text.normalization import normalize
from keras_albert.text.sampling import reservoir_sample

__all__ = ["train_vocabulary"]

_CONTROL_SYMBOLS = ["[CLS]", "[SEP]", "[MASK]"]
_USER_DEFINED_SYMBOLS = ["(", ")", '"', "-", ".", "–", "£", "€"]
# SentencePiece skips longer lines. It counts words, not lines, so that a text may be cut at its blanks.
_MAX_LINE_BYTES = 4192
# Sums of floating-point numbers follow the number of threads: a fixed one gives the same model on every machine.
_NUM_THREADS = 4
_ONLY_FATAL_MESSAGES = 3


def train_vocabulary(
    texts: Iterable[str],
    vocabulary_size: int,
    lowercase: bool = True,
    strip_accents: bool = True,
    character_coverage: float = 0.99995,
    sample_size: int | None = None,
    seed: int = 0,
) -> bytes:
    """Train a SentencePiece unigram model with Google's settings.

    The ids are 0 `<pad>`, 1 `<unk>`, 2 `[CLS]`, 3 `[SEP]`, 4 `[MASK]`, then the symbols `( ) " - . – £ €` that are
    always a piece of their own, then what is learnt. The same texts in the same order give the same bytes.

    Args:
        texts: the raw texts, read once; they are normalized here. All their distinct words are held in memory.
        vocabulary_size: number of pieces, the 13 special ones included.
        lowercase: as in `normalize`; give the tokenizer the same.
        strip_accents: as in `normalize`; give the tokenizer the same.
        character_coverage: fraction of the characters of the texts that the vocabulary spells, in [0.98, 1].
        sample_size: train on that many of the texts, drawn at random, where there are more; Google's setting is
            10,000,000. They are held in memory. None trains on all.
        seed: seed of the sample.

    Returns:
        The serialized model, for `AlbertTokenizer(proto)`, or to be written to a `.model` file.

    Raises:
        ValueError: no text, something that is not text, or a size that the texts don't allow; the message says which
            sizes they do.

    >>> proto = train_vocabulary(["a cat sat on a mat", "the cat was here"] * 20, vocabulary_size=28)
    >>> sentencepiece.SentencePieceProcessor(model_proto=proto).id_to_piece([0, 1, 2, 3, 4])
    ['<pad>', '<unk>', '[CLS]', '[SEP]', '[MASK]']
    """
    if isinstance(texts, (str, bytes)):
        raise ValueError(f"Expected several texts. Received: texts={texts!r:.100}. Pass a list, `[text]`.")
    if not isinstance(vocabulary_size, int) or not 0 < vocabulary_size < 2**31:
        raise ValueError(f"Expected a number of pieces, such as 30000. Received: vocabulary_size={vocabulary_size!r}.")
    if not 0.98 <= character_coverage <= 1.0:
        raise ValueError(f"Expected a fraction in [0.98, 1]. Received: character_coverage={character_coverage!r}.")
    if sample_size is not None and sample_size < 1:
        raise ValueError(f"Expected a positive number of texts, or None. Received: sample_size={sample_size!r}.")
    checked = _checked(texts)
    model = io.BytesIO()
    lines = _Lines(checked if sample_size is None else _sampled(checked, sample_size, seed), lowercase, strip_accents)
    try:
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(lines),
            model_writer=model,
            model_type="unigram",
            vocab_size=vocabulary_size,
            character_coverage=character_coverage,
            pad_id=0,
            unk_id=1,
            bos_id=-1,
            eos_id=-1,
            control_symbols=_CONTROL_SYMBOLS,
            user_defined_symbols=_USER_DEFINED_SYMBOLS,
            max_sentence_length=_MAX_LINE_BYTES,
            num_threads=_NUM_THREADS,
            minloglevel=_ONLY_FATAL_MESSAGES,
        )
    except RuntimeError as error:
        if lines.error is not None:
            raise lines.error from None
        raise ValueError(_reason(str(error), vocabulary_size)) from error
    return model.getvalue()


class _Lines:
    """The normalized lines of the texts, and the error that ended them, which SentencePiece turns into another."""

    def __init__(self, texts: Iterable[str], lowercase: bool, strip_accents: bool) -> None:
        self._texts = texts
        self._options = (lowercase, strip_accents)
        self.error: Exception | None = None

    def __iter__(self) -> Iterator[str]:
        try:
            for text in self._texts:
                yield from _cut(normalize(text, *self._options))
        except Exception as error:
            self.error = error
            raise


def _checked(texts: Iterable[str]) -> Iterator[str]:
    for position, text in enumerate(texts):
        if not isinstance(text, str):
            raise ValueError(f"Expected strings. Received: texts[{position}]={text!r:.100}. Leave it out.")
        yield text


def _sampled(texts: Iterable[str], size: int, seed: int) -> Iterator[str]:
    yield from reservoir_sample(texts, size, seed)


def _cut(text: str) -> Iterator[str]:
    """Yield a text in parts of whole words that SentencePiece takes; a word that is too long for it is left out."""
    if len(text) * 4 <= _MAX_LINE_BYTES:  # a character has 4 bytes at most
        if text:
            yield text
        return
    words: list[str] = []
    size = 0
    for word in text.split(" "):
        word_size = len(word.encode()) + 1
        if words and size + word_size > _MAX_LINE_BYTES:
            yield " ".join(words)
            words, size = [], 0
        if word_size <= _MAX_LINE_BYTES:
            words.append(word)
            size += word_size
    if words:
        yield " ".join(words)


def _reason(message: str, vocabulary_size: int) -> str:
    received = f"Received: vocabulary_size={vocabulary_size}."
    if too_large := re.search(r"set it to a value <= (\d+)", message):
        return f"The texts give a vocabulary of at most {too_large[1]} pieces. {received} Pass less, or more texts."
    if too_small := re.search(r"required_chars\. \d+ vs (\d+)", message):
        return (
            f"The characters of the texts alone need a vocabulary of at least {too_small[1]} pieces. {received} Pass "
            "more, or a lower `character_coverage`."
        )
    if "!sentences_.empty()" in message:
        return "Expected at least one text that is not blank. Received: none. Check what `texts` yields."
    return f"SentencePiece could not train a vocabulary ({message}). {received}"
