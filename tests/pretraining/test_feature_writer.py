import numpy as np
import pytest
from small_corpus import write_corpus

from keras_albert.pretraining import BuildSettings, FeatureSettings, build_data, open_data
from keras_albert.pretraining.google_features import read_features
from keras_albert.pretraining.manifest import FEATURES
from keras_albert.pretraining.pairs import PairSettings
from keras_albert.text.masking import Masking

PAIRS = PairSettings(sequence_length=32)


def settings(**options) -> BuildSettings:
    options = {"pairs": PAIRS, "masking": Masking(max_masks=5), "dupe_factor": 3, "seed": 1, **options}
    return BuildSettings(shard_characters=3000, features=FeatureSettings(**options))


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    return write_corpus(tmp_path_factory.mktemp("corpus") / "text.txt", 60)


def read(data) -> dict[str, np.ndarray]:
    parts = [part for path in data.shards for part in read_features(path)]
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def test_features_are_rows_of_pairs_with_masks_and_repeat_every_document(corpus, tokenizer, tmp_path):
    data = build_data(corpus, tokenizer, tmp_path / "data", settings(), workers=1)
    rows = read(data)
    assert data.manifest.form == "features"
    assert rows["token_ids"].shape == (data.manifest.instances, 32)
    assert rows["mask_positions"].shape == (data.manifest.instances, 5)
    ids = rows["token_ids"]
    assert (ids[:, 0] == tokenizer.start_token_id).all()
    assert (ids == tokenizer.mask_token_id).sum() > 0
    labels = rows["sentence_order_label"]
    pairs = [shard.pairs for shard in data.manifest.shards]
    assert sum(counts["swapped"] for counts in pairs) == (labels == 1).sum() > 0
    assert sum(counts["in_order"] for counts in pairs) == (labels == 0).sum() > 0
    # Three rounds over the documents' tokens, some of which the cut to so short a row drops.
    tokens = rows["padding_mask"].sum() - 3 * len(ids)
    assert 2.2 * data.manifest.tokens < tokens <= 3 * data.manifest.tokens
    open_data(tmp_path / "data", FEATURES).check()


def test_any_number_of_workers_gives_the_same_rows_and_another_seed_others(corpus, tokenizer, tmp_path):
    digests = []
    for name, workers, seed in (("a", 1, 1), ("b", 2, 1), ("c", 1, 2)):
        data = build_data(corpus, tokenizer, tmp_path / name, settings(seed=seed), workers)
        digests.append([shard.sha256 for shard in data.manifest.shards])
        assert len(digests[-1]) > 2
    assert digests[0] == digests[1]
    assert not set(digests[0]) & set(digests[2])


def test_rows_are_in_random_order(corpus, tokenizer, tmp_path):
    data = build_data(corpus, tokenizer, tmp_path / "data", settings(pairs=PairSettings("none", 32)), workers=1)
    ids = next(read_features(data.shards[0]))["token_ids"]
    text = corpus.read_text().lower()[:2500]
    first = [text.find(part) for part in tokenizer.detokenize(ids[:, 1:6].tolist())]
    found = [place for place in first if place >= 0]
    assert len(found) > 10
    assert found != sorted(found)


def test_one_document_gives_rows(tmp_path, tokenizer):
    path = tmp_path / "one.txt"
    path.write_text("\n".join(f"A cat sat on mat {number}." for number in range(50)))
    assert build_data(path, tokenizer, tmp_path / "data", settings(), workers=1).manifest.instances > 0


def test_pairs_of_two_documents_need_two(tmp_path, tokenizer):
    path = tmp_path / "one.txt"
    path.write_text("A cat sat. It slept. It woke.\n")
    pairs = PairSettings("next_sentence", 32)
    with pytest.raises(ValueError, match="need a second document"):
        build_data(path, tokenizer, tmp_path / "data", settings(pairs=pairs), workers=1)


def test_features_are_not_opened_as_documents(corpus, tokenizer, tmp_path):
    build_data(corpus, tokenizer, tmp_path / "data", settings(), workers=1)
    with pytest.raises(
        ValueError, match=r"which holds features; for those name the files, .*/data/shards/\*\.tfrecord"
    ):
        open_data(tmp_path / "data")


@pytest.mark.parametrize(("name", "value"), [("dupe_factor", 0), ("seed", -1)])
def test_wrong_settings_are_errors(name, value):
    with pytest.raises(ValueError, match=f"{name}={value}"):
        FeatureSettings(**{name: value})
