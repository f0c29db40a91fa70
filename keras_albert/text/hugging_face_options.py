"""What a Hugging Face directory says about case, accents and special tokens, as arguments of this package's tokenizers.

Names and defaults are those of transformers' `AlbertTokenizer` and `BertTokenizer`.
"""

from typing import Any

from keras_albert.text.hugging_face_json import steps

__all__ = ["sentencepiece_options", "wordpiece_options"]

_DECOMPOSING = {"NFD", "NFKD", "StripAccents"}


def sentencepiece_options(config: dict[str, Any], tokenizer_json: dict[str, Any] | None) -> dict[str, bool]:
    """Return arguments of `AlbertTokenizer`.

    Args:
        config: the content of `tokenizer_config.json`; what is there counts first.
        tokenizer_json: the content of `tokenizer.json`, whose normalizer counts next; None without that file, and then
            texts are lower-cased and lose their accents.

    Raises:
        ValueError: an option is no boolean.
    """
    keep_accents = _flag(config, "keep_accents")
    return {
        "lowercase": _lowercase(config, tokenizer_json),
        "strip_accents": _strips(tokenizer_json) is not False if keep_accents is None else not keep_accents,
        **_special_tokens(config),
    }


def wordpiece_options(config: dict[str, Any], tokenizer_json: dict[str, Any] | None) -> dict[str, bool | None]:
    """Return arguments of `AlbertWordPieceTokenizer`; as `sentencepiece_options`, but accents follow the case
    (None) where nothing is said of them.

    Raises:
        ValueError: an option is no boolean, or ideographs are not to be words of their own.
    """
    normalizers = [] if tokenizer_json is None else steps(tokenizer_json, "normalizer")
    flags = [_flag(config, "tokenize_chinese_chars"), *(_flag(step, "handle_chinese_chars") for step in normalizers)]
    if False in flags:
        raise ValueError(
            "Expected a tokenizer that makes each ideograph a word of its own, as BERT's does. "
            "Received: tokenize_chinese_chars=False (or handle_chinese_chars)."
        )
    strip_accents = _flag(config, "strip_accents")
    if strip_accents is None and "strip_accents" not in config:
        strip_accents = _strips(tokenizer_json)
    return {
        "lowercase": _lowercase(config, tokenizer_json),
        "strip_accents": strip_accents,
        **_special_tokens(config),
    }


def _lowercase(config: dict[str, Any], tokenizer_json: dict[str, Any] | None) -> bool:
    given = _flag(config, "do_lower_case")
    if given is not None:
        return given
    if tokenizer_json is None:
        return True
    return any(
        step["type"] == "Lowercase" or (step["type"] == "BertNormalizer" and _flag(step, "lowercase") is not False)
        for step in steps(tokenizer_json, "normalizer")
    )


def _strips(tokenizer_json: dict[str, Any] | None) -> bool | None:
    if tokenizer_json is None:
        return None
    for step in steps(tokenizer_json, "normalizer"):
        if step["type"] in _DECOMPOSING:
            return True
        if step["type"] == "BertNormalizer":
            return _flag(step, "strip_accents")
    return False


def _special_tokens(config: dict[str, Any]) -> dict[str, bool]:
    """Return whether literals such as `[MASK]` in a text are special tokens, if it is said; Google's are not."""
    split = _flag(config, "split_special_tokens")
    return {} if split is None else {"special_tokens_in_strings": not split}


def _flag(settings: dict[str, Any], name: str) -> bool | None:
    value = settings.get(name)
    if value is None or isinstance(value, bool):
        return value
    raise ValueError(f"Expected true, false or null. Received: {name}={value!r:.100}.")
