"""BERT's basic tokenization: a text to words, each CJK character and each punctuation mark a word of its own.

Follows `BasicTokenizer` of google-research/albert `tokenization.py`.
"""

import unicodedata

__all__ = ["CharacterTable", "Words", "is_cjk", "normalize_word", "split_on_punctuation"]

# A word as its characters and, as many, their positions in the text.
Words = list[tuple[str, list[int]]]

_CJK_RANGES = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B820, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)
_ASCII_PUNCTUATION = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
_REPLACEMENT_CHARACTER = 0xFFFD


def is_cjk(code_point: int) -> bool:
    """Say whether BERT takes a character as a word of its own (ideographs, but not kana or hangul)."""
    return any(first <= code_point <= last for first, last in _CJK_RANGES)


class CharacterTable(dict[int, str]):
    """What each character of a text becomes before the text is split at white space; filled as characters come.

    Control and format characters, U+FFFD and lone surrogates vanish, white space is a blank, an ideograph gets a blank
    on both sides. To be used with `str.translate`.
    """

    def __missing__(self, code_point: int) -> str:
        """Work out the replacement of a character met for the first time."""
        character = chr(code_point)
        category = unicodedata.category(character)
        if character in "\t\n\r" or category == "Zs":
            replacement = " "
        elif category in ("Cc", "Cf", "Cs") or code_point == _REPLACEMENT_CHARACTER:
            replacement = ""
        elif is_cjk(code_point):
            replacement = f" {character} "
        else:
            replacement = character
        self[code_point] = replacement
        return replacement

    def words(self, text: str) -> list[str]:
        """Split a text into words; punctuation is still part of them."""
        return text.translate(self).split()

    def words_with_positions(self, text: str) -> Words:
        """Split a text into the same words, with the position in the text of each character."""
        words: Words = []
        characters: list[str] = []
        positions: list[int] = []

        def end_word() -> None:
            if characters:
                words.append(("".join(characters), positions.copy()))
                characters.clear()
                positions.clear()

        for position, character in enumerate(text):
            replacement = self[ord(character)]
            if len(replacement) > 1:
                end_word()
                words.append((character, [position]))
            elif replacement.isspace():
                end_word()
            elif replacement:
                characters.append(character)
                positions.append(position)
        end_word()
        return words


def normalize_word(word: str, lowercase: bool, strip_accents: bool) -> str:
    """Lower-case a word, then decompose it (NFD) and drop its non-spacing marks, each if asked for."""
    if lowercase:
        word = word.lower()
    if strip_accents and not word.isascii():
        word = "".join(
            character for character in unicodedata.normalize("NFD", word) if unicodedata.category(character) != "Mn"
        )
    return word


def split_on_punctuation(word: str) -> list[str]:
    """Split a word into its punctuation marks and what stands between them.

    Every ASCII symbol is a mark, such as `$` and `~`; elsewhere what Unicode calls punctuation.

    >>> split_on_punctuation("don't!?")
    ['don', "'", 't', '!', '?']
    """
    if word.isalnum():
        return [word]
    parts = []
    start = 0
    for position, character in enumerate(word):
        if character in _ASCII_PUNCTUATION or unicodedata.category(character).startswith("P"):
            parts += [word[start:position], character]
            start = position + 1
    parts.append(word[start:])
    return [part for part in parts if part]
