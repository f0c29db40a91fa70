"""CLUENER: the files whole, overlapping entities, and errors with their place."""

import json
from collections import Counter

import pytest

from keras_albert.finetuning.readers.cluener import read_cluener
from keras_albert.tasks.token_classification.entities import chunks

pytestmark = pytest.mark.any_backend


def read(tmp_path, *lines: object):
    path = tmp_path / "a.json"
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")
    return read_cluener(path)


# Spans in the file, by type; `wc -m` without line ends for the characters, of which none is white space.
DEV = {"name": 465, "position": 433, "company": 378, "address": 373, "organization": 367, "game": 295}
DEV |= {"government": 247, "scene": 209, "book": 154, "movie": 151}
TRAIN = {"name": 3755, "organization": 3210, "position": 3141, "company": 2978, "address": 2891, "game": 2376}
TRAIN |= {"government": 1835, "scene": 1521, "book": 1139, "movie": 1123}  # two companies lie inside of a book


def test_dev_file_is_read_whole(shared):
    rows = read_cluener(shared / "data" / "cluener" / "dev.json")
    assert (len(rows), sum(map(len, rows.word_spans)), rows.ids) == (1343, 50260, None)
    assert Counter(chunk.label for tags in rows.tags for chunk in chunks(tags)) == DEV
    name = next(chunk for chunk in chunks(rows.tags[0]) if chunk.label == "name")
    assert rows.texts[0][name.first : name.end] == "彭小军"


def test_train_file_leaves_out_what_overlaps(shared):
    with pytest.warns(UserWarning, match="2 of 23,971 entities overlap with a longer one"):
        rows = read_cluener(shared / "data" / "cluener" / "train.json")
    assert (len(rows), sum(map(len, rows.word_spans))) == (10748, 401764)
    assert Counter(chunk.label for tags in rows.tags for chunk in chunks(tags)) == TRAIN


def test_test_file_has_names_and_no_tags(shared):
    rows = read_cluener(shared / "data" / "cluener" / "test.json")
    assert (len(rows), rows.tags, rows.ids[:2]) == (1345, None, ["0", "1"])


def test_spans_are_inclusive_and_white_space_has_no_tag(tmp_path):
    rows = read(tmp_path, {"text": "在New York", "label": {"address": {"New York": [[1, 8]]}}})
    assert rows.words == [list("在NewYork")]
    assert rows.tags == [["O", "B-address"] + ["I-address"] * 6]


@pytest.mark.filterwarnings("ignore:.*overlap")
def test_the_longest_of_overlapping_entities_stays(tmp_path):
    label = {"a": {"甲乙": [[0, 1]]}, "b": {"乙丙丁": [[1, 3]]}, "c": {"丁": [[3, 3]]}, "d": {"戊": [[4, 4]]}}
    assert read(tmp_path, {"text": "甲乙丙丁戊", "label": label}).tags == [["O", "B-b", "I-b", "I-b", "B-d"]]


@pytest.mark.parametrize(
    "line, message",
    [
        ({"text": "甲乙", "label": {"a": {"乙": [[1, 2]]}}}, r"column 'label': expected \[first, last\]"),
        ({"text": "甲乙", "label": {"a": {"甲": [[0, 1]]}}}, "column 'label': expected '甲' at.*Both ends"),
        ({"text": "甲乙", "label": {"a": {"甲": 0}}}, r"column 'label': expected \[first, last\]"),
        ({"text": "甲乙", "label": {"a": [[0, 0]]}}, "column 'label': expected an object"),
        ({"text": "甲乙"}, "column 'label': expected entities as in the lines before"),
        ({"text": 5, "label": {}}, ": expected text in column 'text'"),
    ],
)
def test_lines_that_do_not_fit_are_named(tmp_path, line, message):
    with pytest.raises(ValueError, match=rf"a\.json, line 2(, )?{message}"):
        read(tmp_path, {"text": "甲", "label": {}}, line)
