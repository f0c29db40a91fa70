"""Further pieces at the end of a tokenizer's vocabulary."""

from collections.abc import Sequence
from typing import Any, TypeVar

from keras_albert.text import AlbertTokenizer, AlbertWordPieceTokenizer
from keras_albert.text.basic_tokenization import CharacterTable, normalize_word, split_on_punctuation
from keras_albert.text.normalization import normalize
from keras_albert.text.piece_editing import Piece, PieceKind, edited_model, is_unigram, read_pieces

TokenizerT = TypeVar("TokenizerT", AlbertTokenizer, AlbertWordPieceTokenizer)

# What a piece that does not begin a word may stand behind, to see whether a text gives it.
_BEFORE = ("", "a", "1", "(")


def add_pieces(tokenizer: TokenizerT, pieces: Sequence[str]) -> TokenizerT:
    """Return a tokenizer of the same kind with further pieces at the end; ids of the others don't change.

    Pieces are written as the vocabulary writes them. In SentencePiece "▁covid" begins a word, and "covid" stands
    anywhere inside of one (or behind a blank of its own); a blank within a piece is "▁" as well. In WordPiece "covid"
    begins a word, and "##covid" goes on with one.

    A text gives a new piece where it spells it. SentencePiece takes the most probable pieces, and each new piece is
    made as probable as the most probable old one: it comes before any spelling of the same characters, while a longer
    piece that holds them may still come before it. WordPiece takes the longest from the left.

    `resize_vocabulary` makes room for the new ids in a model.

    Args:
        tokenizer: the tokenizer; it stays as it is.
        pieces: the new pieces, in the order of their ids.

    Raises:
        ValueError: a piece that is no string, is empty, is there already or comes twice; one that no text would give,
            since texts are normalized (lower-cased, for example) and split before; or no vocabulary.

    Example:
        >>> tokenizer = keras_albert.AlbertTokenizer(
        ...     keras_albert.train_vocabulary(["a cat sat on a mat", "the cat was here"] * 20, vocabulary_size=28))
        >>> larger = keras_albert.add_pieces(tokenizer, ["▁hatch"])
        >>> [larger.id_to_token(id) for id in larger("HATCHES")]
        ['▁hatch', 'e', 's']
    """
    if not isinstance(tokenizer, AlbertTokenizer | AlbertWordPieceTokenizer):
        raise ValueError(
            f"Expected an AlbertTokenizer or an AlbertWordPieceTokenizer. Received: tokenizer={tokenizer!r:.200}"
        )
    _check(pieces, set(tokenizer.get_vocabulary()))
    if isinstance(tokenizer, AlbertWordPieceTokenizer):
        return _add_to_wordpiece(tokenizer, pieces)
    return _add_to_sentencepiece(tokenizer, pieces)


def _check(pieces: Any, old_pieces: set[str]) -> None:
    if isinstance(pieces, str | bytes):
        raise ValueError(f"Expected several pieces. Received: pieces={pieces!r:.100}. Pass a list, `[piece]`.")
    seen = set()
    for position, piece in enumerate(pieces):
        received = f"Received: pieces[{position}]={piece!r:.100}"
        if not isinstance(piece, str) or not piece:
            raise ValueError(f"Expected pieces of one character or more. {received}")
        if piece in old_pieces:
            raise ValueError(f"Expected pieces that the vocabulary lacks. {received}, which it has. Leave it out.")
        if piece in seen:
            raise ValueError(f"Expected each piece once. {received} again. Leave it out.")
        seen.add(piece)


def _add_to_wordpiece(tokenizer: AlbertWordPieceTokenizer, pieces: Sequence[str]) -> AlbertWordPieceTokenizer:
    for position, piece in enumerate(pieces):
        # What goes on with a word needs one: punctuation and ideographs are always words of their own.
        word = "a" + piece.removeprefix("##") if piece.startswith("##") else piece
        normalized = normalize_word(word, tokenizer.lowercase, tokenizer.strip_accents)
        is_one_word = CharacterTable().words(word) == [word] and split_on_punctuation(word) == [word]
        if normalized != word or not is_one_word or piece == "##":
            raise _no_text_gives(tokenizer, position, piece, "split at blanks, punctuation and ideographs")
    vocabulary = [*tokenizer.get_vocabulary(), *pieces]
    return type(tokenizer).from_config({**tokenizer.get_config(), "vocabulary": vocabulary})


def _add_to_sentencepiece(tokenizer: AlbertTokenizer, pieces: Sequence[str]) -> AlbertTokenizer:
    reason = "normalized by SentencePiece, and parted between a digit and a comma"
    texts = [piece.replace("▁", " ") for piece in pieces]
    for position, text in enumerate(texts):
        if normalize(text, tokenizer.lowercase, tokenizer.strip_accents) != text.strip():
            raise _no_text_gives(tokenizer, position, pieces[position], reason)
    proto = tokenizer._vocabulary_source() or b""
    old = read_pieces(proto)
    # In a unigram model a user-defined symbol costs about nothing, and would cut words that are pieces as a whole.
    # Where others merge pairs, such a symbol is the only kind of piece that needs no parts.
    kind = PieceKind.NORMAL if is_unigram(proto) else PieceKind.USER_DEFINED
    score = max((piece.score for piece in old if piece.kind == PieceKind.NORMAL), default=0.0)
    added = [Piece(piece, score, kind) for piece in pieces]
    edited = type(tokenizer).from_config(
        {**tokenizer.get_config(), "proto": edited_model(proto, range(len(old)), added)}
    )
    for position, text in enumerate(texts):
        spellings = edited.tokenize([text] if text.startswith(" ") else [before + text for before in _BEFORE])
        if not any(len(old) + position in spelling for spelling in spellings):
            raise _no_text_gives(tokenizer, position, pieces[position], reason)
    return edited


def _no_text_gives(tokenizer: Any, position: int, piece: str, reason: str) -> ValueError:
    changes = ["lower-cased"] * tokenizer.lowercase + ["stripped of accents"] * tokenizer.strip_accents + [reason]
    return ValueError(
        f"No text would give this piece, since texts are {', '.join(changes)} before. "
        f"Received: pieces[{position}]={piece!r:.100}. Write what a text is then, or leave it out."
    )
