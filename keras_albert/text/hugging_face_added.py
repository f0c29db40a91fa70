"""Tokens that were added to a Hugging Face tokenizer after its vocabulary was made.

Transformers writes them into `tokenizer.json` (`added_tokens`), `tokenizer_config.json` (`added_tokens_decoder`) or
`added_tokens.json`, by version; the special tokens of the vocabulary itself stand there too.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from keras_albert.text.basic_tokenization import CharacterTable, normalize_word, split_on_punctuation
from keras_albert.text.hugging_face_json import AddedToken, added_tokens, is_id
from keras_albert.text.normalization import normalize
from keras_albert.text.piece_editing import Piece, PieceKind

__all__ = [
    "further_sentencepieces",
    "further_tokens",
    "further_wordpieces",
    "special_texts",
    "tokens_of_added_json",
    "tokens_of_config",
]


def tokens_of_config(config: dict[str, Any]) -> list[AddedToken]:
    """Return the tokens of a `tokenizer_config.json`.

    Raises:
        ValueError: something in `added_tokens_decoder` is no token.
    """
    by_id = config.get("added_tokens_decoder")
    if by_id is None:
        return []
    entries = by_id.items() if isinstance(by_id, dict) else [("", by_id)]
    if not all(id.isdecimal() and isinstance(entry, dict) for id, entry in entries):
        raise ValueError(f"Expected tokens by their ids. Received: added_tokens_decoder={by_id!r:.200}.")
    return added_tokens([{**entry, "id": int(id)} for id, entry in entries])


def special_texts(settings: dict[str, Any]) -> set[str]:
    """Return the special tokens that a `special_tokens_map.json` or a `tokenizer_config.json` names."""
    texts = set()
    for name, value in settings.items():
        if name.endswith(("_token", "special_tokens")):
            entries = value if isinstance(value, list) else [value]
            contents = [entry.get("content") if isinstance(entry, dict) else entry for entry in entries]
            texts |= {content for content in contents if isinstance(content, str)}
    return texts


def tokens_of_added_json(ids: dict[str, Any], special: Collection[str]) -> list[AddedToken]:
    """Return the tokens of an `added_tokens.json`, which doesn't say itself which are special.

    Args:
        ids: the content of the file.
        special: the tokens that are special.

    Raises:
        ValueError: something is no id.
    """
    wrong = [token for token, id in ids.items() if not is_id(id)]
    if wrong:
        raise ValueError(f"Expected an id for each token. Received: {wrong[0]!r:.100} with {ids[wrong[0]]!r:.100}.")
    return [AddedToken(id, token, token in special) for token, id in ids.items()]


def further_tokens(pieces: Sequence[str], tokens: Iterable[AddedToken]) -> list[AddedToken]:
    """Return the tokens behind a vocabulary in the order of their ids.

    Args:
        pieces: the vocabulary.
        tokens: all added tokens. The first one of an id says whether it is special.

    Raises:
        ValueError: a token has an id of another piece, two tokens have one id, or an id is left out.
    """
    by_id: dict[int, AddedToken] = {}
    for token in tokens:
        known = pieces[token.id] if token.id < len(pieces) else by_id.setdefault(token.id, token).text
        if known != token.text:
            raise ValueError(f"Expected {known!r:.100} for id {token.id}. Received: added token {token.text!r:.100}.")
    further = [by_id[id] for id in sorted(by_id)]
    ids = {piece: id for id, piece in enumerate(pieces)}
    for id, token in enumerate(further, start=len(pieces)):
        if ids.setdefault(token.text, id) != id:
            raise ValueError(f"Expected each piece once. Received: added token {token.text!r:.100} at {token.id}.")
        if token.id != id:
            raise ValueError(f"Expected id {id} next, without gaps. Received: {token.text!r:.100} at {token.id}.")
    return further


def further_sentencepieces(tokens: Sequence[AddedToken], lowercase: bool, strip_accents: bool) -> list[Piece]:
    """Return tokens as pieces of a SentencePiece model: special ones match no text, the others wherever they stand.

    Raises:
        ValueError: a token that is not special and that no text gives, as texts are normalized before.
    """
    for token in tokens:
        is_found = normalize(token.text, lowercase, strip_accents) == token.text and " " not in token.text
        if not token.special and not is_found:
            raise _no_text_gives(token)
    kinds = {True: PieceKind.CONTROL, False: PieceKind.USER_DEFINED}
    return [Piece(token.text, 0.0, kinds[token.special]) for token in tokens]


def further_wordpieces(tokens: Sequence[AddedToken], lowercase: bool, strip_accents: bool) -> list[str]:
    """Return tokens as pieces of a WordPiece vocabulary, which stand at the beginning of a word.

    Raises:
        ValueError: a token that is not special and that no text gives, as texts are normalized and split before.
    """
    for token in tokens:
        is_word = CharacterTable().words(token.text) == split_on_punctuation(token.text) == [token.text]
        if not token.special and not (is_word and normalize_word(token.text, lowercase, strip_accents) == token.text):
            raise _no_text_gives(token)
    return [token.text for token in tokens]


def _no_text_gives(token: AddedToken) -> ValueError:
    return ValueError(
        "Expected added tokens that are special, or that a text can give once it is normalized (lower-cased and "
        f"stripped of accents, by default) and split. Received: added token {token.text!r:.100} at {token.id}. Write "
        'it there as a text is then, or mark it as special (`"special": true`): no text gives those.'
    )
