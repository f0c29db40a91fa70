"""The tagger on raw text: windows against one long row, entities, training, saving, what is refused."""

import keras
import numpy as np
import pytest
from keras import ops

from keras_albert import AlbertBackbone, AlbertTokenClassifier, AlbertTokenClassifierPreprocessor

TAGS = ["O", "B-LOC", "I-LOC"]


def make_tagger(tokenizer, positions=32, **options) -> AlbertTokenClassifier:
    backbone = AlbertBackbone(
        400, 1, 2, 16, 24, 8, max_sequence_length=positions, hidden_dropout=0.0, attention_dropout=0.0
    )
    preprocessor = AlbertTokenClassifierPreprocessor(tokenizer, **{"max_sequence_length": positions} | options)
    return AlbertTokenClassifier(backbone, TAGS, preprocessor, tag_dropout=0.0)


@pytest.fixture
def tagger(tokenizer) -> AlbertTokenClassifier:
    return make_tagger(tokenizer, sequence_length=32)


def words_of(short_texts, count: int) -> list[str]:
    words = [word for row in short_texts for word in row["text"].split()]
    return (words * (count // len(words) + 1))[:count]


def test_a_long_text_gets_a_row_for_every_word(tagger, short_texts):
    words = words_of(short_texts, 3000)
    received = tagger.predict([words, words[:2]], verbose=0)
    assert [array.shape for array in received] == [(3000, 3), (2, 3)]
    # Brute force: each word's window by itself, its own position, the word's own row.
    encoded = tagger.preprocessor.encode([words])
    for word in (0, 1, 13, 1500, 2998, 2999):
        first, end = encoded.windows[encoded.word_rows[word]]
        pieces = [tagger.preprocessor.tokenizer.tokenize(other) for other in words[first:end]]
        ids = [2, *(id for piece in pieces for id in piece), 3]
        ids = ids + [0] * (32 - len(ids))
        ids[0], ids[1 + sum(map(len, pieces))] = (
            tagger.preprocessor.tokenizer.start_token_id,
            tagger.preprocessor.tokenizer.end_token_id,
        )
        x = {
            "token_ids": np.array([ids], "int32"),
            "segment_ids": np.zeros((1, 32), "int32"),
            "padding_mask": (np.arange(32) < 2 + sum(map(len, pieces)))[None].astype("int32"),
        }
        x["token_ids"][x["padding_mask"] == 0] = tagger.preprocessor.tokenizer.pad_token_id
        logits = ops.convert_to_numpy(tagger(x))[0, 1 + sum(map(len, pieces[: word - first]))]
        np.testing.assert_allclose(received[0][word], logits, atol=1e-5)


def test_predict_is_the_same_in_lengths_of_the_batch(tagger, short_texts):
    texts = [row["text"] for row in short_texts[:6]] + ["ok"]
    fixed = tagger.predict(texts, verbose=0)
    tagger.preprocessor.sequence_length = None
    for received, expected in zip(tagger.predict(texts, batch_size=3, verbose=0), fixed, strict=True):
        np.testing.assert_allclose(received, expected, atol=1e-5)


@pytest.mark.filterwarnings("ignore:.*have no words")
def test_texts_without_words_get_no_rows(tagger):
    assert [array.shape for array in tagger.predict(["", "a b"], verbose=0)] == [(0, 3), (2, 3)]
    assert tagger.tag(["", "  "]) == [[], []]


def test_entities_are_where_they_say(tagger, monkeypatch):
    text = "We  met in 🎉New  York🎉 我"
    logits = np.full((8, 3), -9.0)  # We met in 🎉 New York 🎉 我
    for word, tag in enumerate([0, 0, 0, 0, 1, 2, 0, 1]):
        logits[word, tag] = 9.0
    module = "keras_albert.tasks.token_classification.model.word_logits"
    monkeypatch.setattr(module, lambda *args: [logits])
    found = tagger.tag([text])[0]
    assert [(entity.label, entity.text) for entity in found] == [("LOC", "New  York"), ("LOC", "我")]
    assert all(text[entity.start : entity.end] == entity.text for entity in found)
    in_words = tagger.tag([["We", "met", "in", "🎉", "New", "York", "🎉", "我"]])[0]
    assert (in_words[0].start, in_words[0].text) == (len("We met in 🎉 "), "New York")


SENTENCES = [
    ([person, "went", "to", *place, "today"], ["O", "O", "O", "B-LOC", *["I-LOC"] * (len(place) - 1), "O"])
    for person in ("she", "he", "they", "we")
    for place in (["rome"], ["new", "york"], ["oslo"], ["san", "jose"])
]


def test_tagger_learns_sixteen_sentences_and_keeps_them(tokenizer, tmp_path):
    tagger = make_tagger(tokenizer, positions=24, sequence_length=24)
    words, tags = [list(column) for column in zip(*SENTENCES, strict=True)]
    tagger.compile(keras.optimizers.Adam(0.02))
    pooler = tagger.backbone.pooler.get_weights()
    tagger.fit(words, tags, batch_size=16, epochs=60, verbose=0)
    assert tagger.evaluate(words, tags, batch_size=16, verbose=0, return_dict=True)["accuracy"] == 1.0
    for before, after in zip(pooler, tagger.backbone.pooler.get_weights(), strict=True):
        np.testing.assert_array_equal(before, after)  # it has no part in the loss, and no warning says so
    found = tagger.tag([" ".join(row) for row in words], batch_size=16)
    assert [[entity.text for entity in row] for row in found] == [[" ".join(row[3:-1])] for row in words]
    tagger.save_to_preset(tmp_path / "preset")
    loaded = AlbertTokenClassifier.from_preset(tmp_path / "preset")
    assert loaded.tags == tuple(TAGS)
    np.testing.assert_array_equal(
        np.concatenate(loaded.predict(words[:16], batch_size=16, verbose=0)),
        np.concatenate(tagger.predict(words[:16], batch_size=16, verbose=0)),
    )
    other = AlbertTokenClassifier.from_preset(tmp_path / "preset", tags=["O", "B-PER"])
    assert other.predict(words[:1], verbose=0)[0].shape == (len(words[0]), 2)
    np.testing.assert_array_equal(other.backbone.get_weights()[0], tagger.backbone.get_weights()[0])


def test_loss_and_accuracy_are_over_words(tagger):
    words, tags = [list(column) for column in zip(*SENTENCES[:3], strict=True)]
    weights = [1.0, 2.0, 0.0]
    received = tagger.evaluate(words, tags, batch_size=3, sample_weight=weights, verbose=0, return_dict=True)
    total = entropy = right = 0.0
    for logits, row, weight in zip(tagger.predict(words, verbose=0), tags, weights, strict=True):
        numbers = np.array([TAGS.index(tag) for tag in row])
        log_shares = logits - np.log(np.exp(logits).sum(axis=-1, keepdims=True))
        entropy -= weight * log_shares[np.arange(len(row)), numbers].sum()
        right += weight * (logits.argmax(axis=-1) == numbers).sum()
        total += weight * len(row)
    assert received["loss"] == pytest.approx(entropy / total, abs=1e-5)
    assert received["accuracy"] == pytest.approx(right / total, abs=1e-6)


def test_one_step_changes_every_trainable_weight(tagger):
    tagger.compile(keras.optimizers.SGD(1.0))
    before = {weight.path: ops.convert_to_numpy(weight).copy() for weight in tagger.trainable_variables}
    tagger.fit([["rome", "is", "old"]] * 3, [["B-LOC", "O", 0]] * 3, batch_size=3, verbose=0)
    # A constant on all scores leaves the softmax as it is: the key's bias has no gradient but rounding.
    unmoved = [
        weight.path
        for weight in tagger.trainable_variables
        if np.array_equal(ops.convert_to_numpy(weight), before[weight.path]) and "key/bias" not in weight.path
    ]
    assert unmoved == []
    assert not any("pooler" in path for path in before)


def test_what_does_not_fit_is_refused(tagger):
    with pytest.raises(ValueError, match="Received: 'B-PER' in row 1, word 0"):
        tagger.fit([["a"], ["b"]], [["O"], ["B-PER"]], verbose=0)
    with pytest.raises(ValueError, match="2 words and 1 tags in row 0"):
        tagger.evaluate(["a b"], [["O"]], verbose=0)
    with pytest.raises(ValueError, match="Pass a list of texts"):
        import tensorflow as tf

        tagger.predict(tf.data.Dataset.from_tensor_slices(["a"]).batch(1), verbose=0)


@pytest.mark.parametrize("tags", [None, ["O"], ["O", "O"], "OB", ["O", ""]])
def test_names_of_tags_are_needed(backbone, tags):
    with pytest.raises(ValueError, match="Received: tags="):
        AlbertTokenClassifier(backbone, tags)
