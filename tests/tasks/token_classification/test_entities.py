"""Entities out of tags: the cases of CoNLL's scorer, worked out by hand, in every scheme."""

import pytest

from keras_albert.tasks.token_classification.entities import chunks, entities_of
from keras_albert.tasks.token_classification.words import split_words

pytestmark = pytest.mark.any_backend


@pytest.mark.parametrize(
    "tags, expected",
    [
        ("", []),
        ("O O", []),
        ("B-A I-A O", ["A 0 2"]),
        ("B-A B-A", ["A 0 1", "A 1 2"]),
        ("I-A I-A", ["A 0 2"]),  # IOB1, or a stray I
        ("O I-A B-A I-A", ["A 1 2", "A 2 4"]),  # IOB1: B parts two of one type
        ("B-A I-B", ["A 0 1", "B 1 2"]),
        ("B-A O I-A", ["A 0 1", "A 2 3"]),
        ("B-A I-A E-A S-A", ["A 0 3", "A 3 4"]),
        ("B-A E-A I-A", ["A 0 2", "A 2 3"]),
        ("E-A E-A", ["A 0 1", "A 1 2"]),
        ("S-A I-A", ["A 0 1", "A 1 2"]),
        ("I-A E-A", ["A 0 2"]),
        ("B-A M-A L-A U-B", ["A 0 3", "B 3 4"]),  # BMES and BILOU
        ("B M E S", ["_ 0 3", "_ 3 4"]),
        ("NOUN NOUN O VERB", ["NOUN 0 2", "VERB 3 4"]),
        ("B-creative-work I-creative-work", ["creative-work 0 2"]),
    ],
)
def test_chunks_of_tags(tags, expected):
    assert ["{} {} {}".format(*chunk) for chunk in chunks(tags.split())] == expected


def test_entities_have_the_places_of_the_given_text():
    text = "Ann  Lee  met 王伟 in 🎉New  York🎉"
    tags = ["B-PER", "I-PER", "O", "B-PER", "I-PER", "O", "O", "B-LOC", "I-LOC", "O"]
    found = entities_of(tags, [0.5, 1.0, 1, 0.8, 0.6, 1, 1, 0.25, 0.75, 1], split_words(text), text)
    assert [(entity.label, entity.text) for entity in found] == [
        ("PER", "Ann  Lee"),
        ("PER", "王伟"),
        ("LOC", "New  York"),
    ]
    assert all(text[entity.start : entity.end] == entity.text for entity in found)
    assert [entity.score for entity in found] == pytest.approx([0.75, 0.7, 0.5])
