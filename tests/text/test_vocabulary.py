from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sentencepiece

from keras_albert.text.sentencepiece_tokenizer import AlbertTokenizer
from keras_albert.text.vocabulary import train_vocabulary

pytestmark = pytest.mark.any_backend

TEXTS = [
    "The café (on the corner) sold 12 cakes - at £3 each.",
    "A cat sat on a mat; the dog, which was old, did not.",
    "She read – slowly – what her mother had written on the wall.",
    'He said "no", and then he said nothing at all for a while.',
    "Rain fell on the town, and on the hills behind the town.",
]


def model(*arguments: Any, **options: Any) -> sentencepiece.SentencePieceProcessor:
    return sentencepiece.SentencePieceProcessor(model_proto=train_vocabulary(*arguments, **options))


def test_special_ids_and_symbols_are_those_of_google() -> None:
    trained = model(TEXTS * 20, 60)
    assert trained.vocab_size() == 60
    assert " ".join(trained.id_to_piece(list(range(13)))) == '<pad> <unk> [CLS] [SEP] [MASK] ( ) " - . – £ €'
    assert (trained.pad_id(), trained.unk_id(), trained.bos_id(), trained.eos_id()) == (0, 1, -1, -1)
    assert [trained.is_control(id) for id in range(5)] == [True, False, True, True, True]
    assert trained.encode("well-known", out_type=str).count("-") == 1


def test_special_ids_are_those_of_the_released_model(shared: Path) -> None:
    released = sentencepiece.SentencePieceProcessor(model_file=str(shared / "data/albert_vocab/spiece.model"))
    assert model(TEXTS * 20, 60).id_to_piece(list(range(13))) == released.id_to_piece(list(range(13)))


def test_the_same_texts_give_the_same_model() -> None:
    assert train_vocabulary(TEXTS * 20, 60) == train_vocabulary(iter(TEXTS * 20), 60)


def test_texts_are_normalized_as_asked() -> None:
    characters = set("".join(AlbertTokenizer(train_vocabulary(TEXTS * 20, 60)).get_vocabulary()[13:]))
    assert not characters & set("éATSHR")
    kept = train_vocabulary(TEXTS * 20, 60, lowercase=False, strip_accents=False)
    assert characters | set("éATSHR") == set("".join(AlbertTokenizer(kept).get_vocabulary()[13:]))


def test_a_text_longer_than_a_line_of_sentencepiece_counts_whole() -> None:
    long_text = " ".join([*TEXTS * 300, *["zebra"] * 400])
    pieces = AlbertTokenizer(train_vocabulary([long_text], 60)).get_vocabulary()
    assert {"▁the", "▁zebra"} <= set(pieces)


def test_a_word_longer_than_a_line_of_sentencepiece_is_left_out() -> None:
    pieces = AlbertTokenizer(train_vocabulary([" ".join([*TEXTS, "\u00fe" * 5_000, *TEXTS])], 50)).get_vocabulary()
    assert "\u00fe" not in "".join(pieces)


def test_nothing_is_printed(capfd: pytest.CaptureFixture[str]) -> None:
    train_vocabulary(TEXTS * 20, 60)
    with pytest.raises(ValueError, match="at most"):
        train_vocabulary(TEXTS, 100_000)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(("size", "message"), [(20, "at least"), (5_000, "at most")])
def test_a_size_that_the_texts_do_not_allow_names_one_that_they_do(size: int, message: str) -> None:
    with pytest.raises(
        ValueError, match=rf"vocabulary of {message} \d+ pieces. Received: vocabulary_size={size}"
    ) as info:
        train_vocabulary(TEXTS, size)
    possible = int(str(info.value).split(message)[1].split()[0])
    assert model(TEXTS, possible).vocab_size() == possible


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([], 20), "at least one text"),
        ((["", " \n "], 20), "at least one text"),
        (("one text", 20), r"Pass a list, `\[text\]`"),
        ((["a", None], 20), r"texts\[1\]=None"),
        ((TEXTS, 0), "vocabulary_size=0"),
        ((TEXTS, 80.5), "vocabulary_size=80.5"),
        ((TEXTS, 80, True, True, 0.5), "character_coverage=0.5"),
        ((TEXTS, 80, True, True, 0.99995, 0), "sample_size=0"),
    ],
)
def test_bad_arguments_are_refused(arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        train_vocabulary(*arguments)


def test_an_error_of_the_texts_is_not_hidden() -> None:
    def broken() -> Iterator[str]:
        yield "a text"
        raise OSError("disk gone")

    with pytest.raises(OSError, match="disk gone"):
        train_vocabulary(broken(), 20)
