"""A tokenizer's files for Hugging Face's libraries, transformers and tokenizers.

The formats are those of huggingface/tokenizers (`tokenizer.json`) and huggingface/transformers (the other files); they
are written without either library.
"""

import json
from pathlib import Path
from typing import Any

from keras_albert.presets.output_folder import writing
from keras_albert.text.assets import write_file
from keras_albert.text.hugging_face_sentencepiece import sentencepiece_parts
from keras_albert.text.hugging_face_wordpiece import wordpiece_parts
from keras_albert.text.sentencepiece_tokenizer import AlbertTokenizer
from keras_albert.text.wordpiece_tokenizer import AlbertWordPieceTokenizer

__all__ = ["write_hugging_face_tokenizer"]

# Transformers' own classes, `AlbertTokenizer` and `BertTokenizer`, take the vocabulary alone from a `tokenizer.json`
# and build the rest themselves; this one takes all of it, in versions 4 and 5.
_CLASS = "PreTrainedTokenizerFast"
_INPUTS = ["input_ids", "token_type_ids", "attention_mask"]


def write_hugging_face_tokenizer(
    tokenizer: AlbertTokenizer | AlbertWordPieceTokenizer, folder: str | Path, max_sequence_length: int | None = None
) -> list[Path]:
    """Write a tokenizer as transformers and tokenizers read it: `AutoTokenizer.from_pretrained(folder)`.

    The files are `tokenizer.json`, `tokenizer_config.json`, `special_tokens_map.json`, and `spiece.model` or
    `vocab.txt`. What transformers makes of them gives the ids of this tokenizer, with `[CLS]` and `[SEP]` and the
    segments of a pair around them. Literals such as `[MASK]` in a text are special tokens there if they are here
    (`special_tokens_in_strings`), `<pad>` and `<unk>` then too; `from_pretrained(folder, split_special_tokens=False)`
    changes that, as transformers' fill-mask pipeline needs it.

    The ids of WordPiece are the same for every text. Those of SentencePiece may differ in a few cases:

    - Two spellings of nearly the same probability: that library adds in double precision, SentencePiece in single.
    - Characters that came after Unicode 11 and have a decomposition, 73 in all, which that library lacks.
    - A vocabulary with pieces such as "5," that stand inside of a word: where Google encodes such a piece again is
      told from the piece and what it may be part of, not from the whole text.
    - An unknown stretch that ends in a digit and an unknown comma.
    - Without `strip_accents`: several marks in a row, which Unicode composes in another order than SentencePiece.

    Args:
        tokenizer: the tokenizer, with a vocabulary.
        folder: where to write; it is made if need be. Files of the same names are replaced, each as a whole.
        max_sequence_length: the longest row that the model takes, for transformers to cut to.

    Returns:
        The files.

    Raises:
        ValueError: another kind of tokenizer, no vocabulary, or a SentencePiece model that the format can't express:
            one that merges pairs (BPE), has byte pieces or unused ones, control symbols of one character, or settings
            of blanks that ALBERT's has not.
        OutputError: the files can't be written.

    Example:
        >>> import tempfile
        >>> tokenizer = keras_albert.AlbertWordPieceTokenizer(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "我"])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     sorted(path.name for path in write_hugging_face_tokenizer(tokenizer, folder))
        ['special_tokens_map.json', 'tokenizer.json', 'tokenizer_config.json', 'vocab.txt']
    """
    if isinstance(tokenizer, AlbertTokenizer):
        tokenizer.vocabulary_size()  # an error where there is no vocabulary
        proto = tokenizer._vocabulary_source() or b""
        parts = sentencepiece_parts(
            proto, tokenizer.lowercase, tokenizer.strip_accents, tokenizer.special_tokens_in_strings
        )
        vocabulary = {"spiece.model": proto}
        accents = {"keep_accents": not tokenizer.strip_accents}
    elif isinstance(tokenizer, AlbertWordPieceTokenizer):
        pieces = tokenizer.get_vocabulary()
        parts = wordpiece_parts(pieces, tokenizer.unk_token, tokenizer.lowercase, tokenizer.strip_accents)
        vocabulary = {"vocab.txt": "".join(f"{piece}\n" for piece in pieces).encode()}
        accents = {"strip_accents": tokenizer.strip_accents, "tokenize_chinese_chars": True}
    else:
        raise ValueError(
            "Expected an AlbertTokenizer or an AlbertWordPieceTokenizer. "
            f"Received: tokenizer of type {type(tokenizer).__name__}. Pass the preprocessor's `tokenizer`."
        )
    names = _special_tokens(tokenizer)
    configuration: dict[str, Any] = {
        "tokenizer_class": _CLASS,
        "do_lower_case": tokenizer.lowercase,
        **accents,
        **names,
        "split_special_tokens": not tokenizer.special_tokens_in_strings,
        "clean_up_tokenization_spaces": False,
        "model_input_names": _INPUTS,
    }
    if max_sequence_length is not None:
        configuration["model_max_length"] = max_sequence_length
    # All is made before anything is written.
    files = {
        **vocabulary,
        "special_tokens_map.json": _encoded(names),
        "tokenizer_config.json": _encoded(configuration),
        "tokenizer.json": _encoded(_whole(tokenizer, parts), indent=None),
    }
    return _write(files, Path(folder))


def _whole(tokenizer: AlbertTokenizer | AlbertWordPieceTokenizer, parts: dict[str, Any]) -> dict[str, Any]:
    flags = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
    tokens = _special_tokens(tokenizer).values()
    added = [{"id": tokenizer.token_to_id(token), "content": token, **flags} for token in tokens]
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": sorted(added, key=lambda token: token["id"]),
        "normalizer": parts["normalizer"],
        "pre_tokenizer": parts["pre_tokenizer"],
        "post_processor": _post_processor(tokenizer),
        "decoder": parts["decoder"],
        "model": parts["model"],
    }


def _post_processor(tokenizer: AlbertTokenizer | AlbertWordPieceTokenizer) -> dict[str, Any]:
    """Return what puts special tokens around a text, segment 0, and around a second one, segment 1."""
    start, end = tokenizer.start_token, tokenizer.end_token
    first = [_special(start, 0), _text("A", 0), _special(end, 0)]
    return {
        "type": "TemplateProcessing",
        "single": first,
        "pair": [*first, _text("B", 1), _special(end, 1)],
        "special_tokens": {
            token: {"id": token, "ids": [tokenizer.token_to_id(token)], "tokens": [token]} for token in (start, end)
        },
    }


def _special(token: str, segment: int) -> dict[str, Any]:
    return {"SpecialToken": {"id": token, "type_id": segment}}


def _text(name: str, segment: int) -> dict[str, Any]:
    return {"Sequence": {"id": name, "type_id": segment}}


def _special_tokens(tokenizer: AlbertTokenizer | AlbertWordPieceTokenizer) -> dict[str, str]:
    return {
        "cls_token": tokenizer.start_token,
        "mask_token": tokenizer.mask_token,
        "pad_token": tokenizer.pad_token,
        "sep_token": tokenizer.end_token,
        "unk_token": tokenizer.unk_token,
    }


def _encoded(content: dict[str, Any], indent: int | None = 2) -> bytes:
    return json.dumps(content, ensure_ascii=False, indent=indent).encode() + b"\n"


def _write(files: dict[str, bytes], folder: Path) -> list[Path]:
    paths = []
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            write_file(folder / name, content)
            paths.append(folder / name)
    return paths
