import pytest

from keras_albert.text.special_tokens import split_on_special_tokens

pytestmark = pytest.mark.any_backend

IDS = {"[CLS]": 2, "[SEP]": 3, "[MASK]": 4}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("no token", [("no token", 0, None)]),
        ("[MASK]", [("[MASK]", 0, 4)]),
        ("a [MASK], b", [("a ", 0, None), ("[MASK]", 2, 4), (", b", 8, None)]),
        ("[CLS][SEP]", [("[CLS]", 0, 2), ("[SEP]", 5, 3)]),
        ("[mask] [ MASK ] MASK]", [("[mask] [ MASK ] MASK]", 0, None)]),
        ("[[MASK]]", [("[", 0, None), ("[MASK]", 1, 4), ("]", 7, None)]),
    ],
)
def test_split_on_special_tokens(text: str, expected: list[tuple[str, int, int | None]]) -> None:
    assert [tuple(segment) for segment in split_on_special_tokens(text, IDS)] == expected
