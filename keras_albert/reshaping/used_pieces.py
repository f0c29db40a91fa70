"""A tokenizer without the pieces that a corpus has no use for."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import Any

from keras_albert.reshaping.added_pieces import TokenizerT
from keras_albert.text import AlbertTokenizer, AlbertWordPieceTokenizer
from keras_albert.text.basic_tokenization import CharacterTable, is_cjk, normalize_word, split_on_punctuation
from keras_albert.text.piece_editing import PieceKind, edited_model, is_unigram, read_pieces

_TEXTS_AT_ONCE = 1024
_LONGEST_WORD = 200  # Google's `max_input_chars_per_word`; longer words are unknown at once


def keep_used_pieces(tokenizer: TokenizerT, texts: Iterable[str], min_count: int = 1) -> TokenizerT:
    """Return a tokenizer of the same kind without the pieces that some texts don't use; the others keep their order.

    With `min_count=1` these texts give the same pieces as before, under other ids. Rarer pieces than `min_count` are
    dropped too, and their characters then spelled by others. Besides the used pieces these always stay: special
    tokens; the single characters of all used pieces, so that other words in the same letters can be spelled; and what
    the encoding of the rest depends on. Of SentencePiece that is control and user-defined symbols, the least probable
    piece, and pieces that end in a digit and a comma; of WordPiece the pieces that an unknown word begins with. To keep
    the letters that the texts lack, pass a text with them as well.

    `resize_vocabulary` drops the rows of a model that belong to the dropped pieces.

    Args:
        tokenizer: the tokenizer; it stays as it is.
        texts: the texts, read once. Pass also those that the model will be asked about, where they are known.
        min_count: how often a piece must come to stay.

    Raises:
        ValueError: no text, something that is not text, a count below 1, no vocabulary, or a SentencePiece model that
            merges pairs (BPE), whose pieces need their parts.

    Example:
        >>> tokenizer = keras_albert.AlbertWordPieceTokenizer(
        ...     ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "我", "爱", "ab", "a", "##b", "##c", "c"])
        >>> smaller = keras_albert.keep_used_pieces(tokenizer, ["我 abc"])
        >>> smaller.get_vocabulary()
        ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]', '我', 'ab', 'a', '##b', '##c', 'c']
        >>> smaller("我 abc")
        [5, 6, 9]
    """
    if not isinstance(tokenizer, AlbertTokenizer | AlbertWordPieceTokenizer):
        raise ValueError(
            f"Expected an AlbertTokenizer or an AlbertWordPieceTokenizer. Received: tokenizer={tokenizer!r:.200}"
        )
    if isinstance(min_count, bool) or not isinstance(min_count, int) or min_count < 1:
        raise ValueError(f"Expected a count of 1 or more. Received: min_count={min_count!r}")
    if isinstance(texts, str | bytes):
        raise ValueError(f"Expected several texts. Received: texts={texts!r:.100}. Pass a list, `[text]`.")
    pieces = tokenizer.get_vocabulary()
    is_wordpiece = isinstance(tokenizer, AlbertWordPieceTokenizer)
    kept = set(tokenizer.special_token_ids)
    if not is_wordpiece:
        kept |= _needed_by_sentencepiece(_model(tokenizer))
    counts: Counter[int] = Counter()
    for part in _parts(texts):
        rows = tokenizer.tokenize(part)
        counts.update(chain.from_iterable(rows))
        if is_wordpiece:
            unknown = [text for text, row in zip(part, rows, strict=True) if tokenizer.unk_token_id in row]
            kept |= _beginnings_of_unknown_words(tokenizer, unknown)
    kept |= {id for id, count in counts.items() if count >= min_count}
    kept |= _single_characters(pieces, counts.keys() - set(tokenizer.special_token_ids), is_wordpiece)
    if is_wordpiece:
        vocabulary: dict[str, Any] = {"vocabulary": [pieces[id] for id in sorted(kept)]}
    else:
        vocabulary = {"proto": edited_model(_model(tokenizer), kept)}
    return type(tokenizer).from_config(tokenizer.get_config() | vocabulary)


def _model(tokenizer: Any) -> bytes:
    return tokenizer._vocabulary_source()


def _parts(texts: Iterable[str]) -> Iterator[list[str]]:
    remaining = iter(texts)
    part = list(islice(remaining, _TEXTS_AT_ONCE))
    if not part:
        raise ValueError("Expected at least one text. Received: none. Check what `texts` yields.")
    while part:
        yield part
        part = list(islice(remaining, _TEXTS_AT_ONCE))


def _single_characters(pieces: list[str], used: Iterable[int], is_wordpiece: bool) -> set[int]:
    ids = {piece: id for id, piece in enumerate(pieces)}
    if is_wordpiece:
        characters = {character for id in used for character in pieces[id].removeprefix("##")}
        # Punctuation and ideographs never go on with a word.
        letters = {character for character in characters if character.isalnum() and not is_cjk(ord(character))}
        wanted = characters | {f"##{letter}" for letter in letters}
    else:
        wanted = {character for id in used for character in pieces[id]} | {"▁"}
    return {ids[piece] for piece in wanted if piece in ids}


def _needed_by_sentencepiece(proto: bytes) -> set[int]:
    if not is_unigram(proto):
        raise ValueError(
            "Expected a unigram model, as ALBERT's are: in one that merges pairs (BPE) pieces need their parts. "
            "Received: tokenizer with another SentencePiece model"
        )
    pieces = read_pieces(proto)
    normal = [id for id, piece in enumerate(pieces) if piece.kind == PieceKind.NORMAL]
    needed = {id for id, piece in enumerate(pieces) if piece.kind not in (PieceKind.NORMAL, PieceKind.UNUSED)}
    if normal:
        # An unknown character scores 10 less than this one; left out, another spelling may win.
        needed.add(min(normal, key=lambda id: pieces[id].score))
    # Google's code gives such a piece's number and a comma instead, which does not show that the piece was used.
    return needed | {id for id in normal if pieces[id].text[-1:] == "," and pieces[id].text[-2:-1].isdigit()}


def _beginnings_of_unknown_words(tokenizer: Any, texts: Iterable[str]) -> set[int]:
    """Return the pieces that were taken before a word couldn't be spelled on.

    Without them shorter ones might be taken, with which it can.
    """
    table = CharacterTable()
    words = {word for text in texts for word in table.words(text)}
    parts = {
        part
        for word in words
        for part in split_on_punctuation(normalize_word(word, tokenizer.lowercase, tokenizer.strip_accents))
    }
    needed = set()
    for part in parts:
        if len(part) > _LONGEST_WORD:
            continue
        # The longest beginning that can be spelled is spelled by those pieces.
        for end in range(len(part), 0, -1):
            ids = tokenizer.tokenize(part[:end])
            if tokenizer.unk_token_id not in ids:
                needed.update(ids)
                break
    return needed
