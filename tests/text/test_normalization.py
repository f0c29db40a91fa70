import sys
import unicodedata
from pathlib import Path

import pytest
from golden_texts import on_this_python, records

from keras_albert.text.normalization import normalize, normalize_with_alignment

pytestmark = pytest.mark.any_backend


@pytest.mark.parametrize(("name", "lowercase"), [("spm_lower", True), ("spm_cased", False)])
def test_normalize_equals_google_on_every_record(shared: Path, name: str, lowercase: bool) -> None:
    golden = records(shared / "golden" / "tokenizer" / f"{name}.jsonl")
    assert [normalize(record["text"], lowercase) for record in golden] == [
        on_this_python(record)["normalized"] for record in golden
    ]


@pytest.mark.parametrize(
    ("text", "lowercase", "strip_accents", "expected"),
    [
        ("", True, True, ""),
        (" \t\n\u3000\u2028 ", True, True, ""),
        ("  Two\t\nWords ", True, True, "two words"),
        ("Two Words", False, True, "Two Words"),
        ("Café", True, True, "cafe"),
        ("Café", True, False, "café"),
        ("Café", False, False, "Café"),
        ("ÇOCUK", True, False, "çocuk"),
        ("s\u00e5", True, True, "sa"),
        ("s\u00e5", True, False, "s\u00e5"),
        ("ﬁn…", True, True, "fin..."),
        ("ﬁn…", True, False, "ﬁn…"),
        ("ΟΔΟΣ", True, True, "οδος"),  # the final sigma
        ("İ", True, True, "i"),
        ("İ", True, False, "i\u0307"),
        ("x \u00a8 y", True, True, "x   y"),  # NFKD makes a blank after white space was collapsed
        ("\u0489 stays", True, True, "\u0489 stays"),  # a mark of combining class 0
        ("a\ud800b", True, True, "a\ufffdb"),
    ],
)
def test_normalize_by_hand(text: str, lowercase: bool, strip_accents: bool, expected: str) -> None:
    assert normalize(text, lowercase, strip_accents) == expected


def test_normalize_drops_each_combining_mark() -> None:
    marks = [chr(point) for point in range(sys.maxunicode + 1) if unicodedata.combining(chr(point))]
    assert len(marks) > 800
    assert normalize("x".join(marks)) == "x" * (len(marks) - 1)


@pytest.mark.parametrize(
    ("text", "strip_accents", "expected"),
    [
        ("", True, ("", [], [])),
        ("Ab c", True, ("ab c", [0, 1, 2, 3], [1, 2, 3, 4])),
        ("  A \t b ", True, ("a b", [2, 3, 6], [3, 6, 7])),
        ("cafe\u0301 x", True, ("cafe x", [0, 1, 2, 3, 5, 6], [1, 2, 3, 5, 6, 7])),
        ("caf\u00e9 x", True, ("cafe x", [0, 1, 2, 3, 4, 5], [1, 2, 3, 4, 5, 6])),
        ("caf\u00e9 x", False, ("caf\u00e9 x", [0, 1, 2, 3, 4, 5], [1, 2, 3, 4, 5, 6])),
        ("a\u2026 b", True, ("a... b", [0, 1, 1, 1, 2, 3], [1, 2, 2, 2, 3, 4])),
        ("İs", False, ("i\u0307s", [0, 0, 1], [1, 1, 2])),
        ("\u0301a", True, ("a", [1], [2])),
        ("\u0301 a", True, (" a", [1, 2], [2, 3])),
        ("a\ud800b", True, ("a\ufffdb", [0, 1, 2], [1, 2, 3])),
    ],
)
def test_alignment_by_hand(text: str, strip_accents: bool, expected: tuple[str, list[int], list[int]]) -> None:
    normalized, starts, ends = normalize_with_alignment(text, True, strip_accents)
    assert (normalized, list(starts), list(ends)) == expected


@pytest.mark.parametrize("lowercase", [True, False])
@pytest.mark.parametrize("strip_accents", [True, False])
def test_alignment_has_a_span_for_every_character_of_unicode(lowercase: bool, strip_accents: bool) -> None:
    for first in range(0, sys.maxunicode + 1, 4096):
        text = "".join(f"{chr(point)}x" for point in range(first, first + 4096))
        normalized, starts, ends = normalize_with_alignment(text, lowercase, strip_accents)
        assert len(normalized) == len(starts) == len(ends)
        assert all(start < end for start, end in zip(starts, ends, strict=True))
        assert list(starts) == sorted(starts)
        assert list(ends) == sorted(ends)
        # An x stands at each odd position, and each x of the result that is one came from there or from a ligature.
        kept = {start for character, start in zip(normalized, starts, strict=True) if character == "x"}
        assert kept >= set(range(1, len(text), 2))


def test_alignment_gives_the_text_that_normalize_gives(shared: Path) -> None:
    for record in records(shared / "golden" / "tokenizer" / "spm_lower.jsonl"):
        normalized, starts, ends = normalize_with_alignment(record["text"])
        assert normalized == on_this_python(record)["normalized"]
        for character, start, end in zip(normalized, starts, ends, strict=True):
            source = record["text"][start:end]
            assert character in normalize(f"x{source}x").replace("ς", "σ") or character in "ς "
