"""The backbone against Google's outputs, and what it promises besides."""

import keras
import numpy as np
import pytest
from keras import ops

from keras_albert import AlbertBackbone

MODELS = ["albert_tiny_g1", "albert_tiny_g2", "albert_tiny_e_eq_h", "albert_tiny_zh"]
# Two variants of Google's own graph (einsum, matmul) differ by up to 4e-6 on these models.
TOLERANCE = 2e-5
# A mask of zeros adds -10000 to every score, which rounds them to about 1e-3.
ALL_MASKED_TOLERANCE = 2e-3


@pytest.fixture(scope="module", params=MODELS)
def golden(request, golden_model):
    archive, outputs = golden_model(request.param)
    return AlbertBackbone.from_preset(archive), outputs


@pytest.fixture
def backbone(backbone) -> AlbertBackbone:
    """The small backbone with two blocks in each of its groups."""
    return AlbertBackbone.from_config(backbone.get_config() | {"name": None, "num_inner_repetitions": 2})


def inputs(stored) -> dict[str, np.ndarray]:
    return {
        "token_ids": stored["input_ids"],
        "segment_ids": stored["segment_ids"],
        "padding_mask": stored["input_mask"],
    }


def numpy(tensor) -> np.ndarray:
    return np.asarray(ops.convert_to_numpy(tensor))


def test_every_layer_equals_google(golden):
    backbone, outputs = golden
    stored = outputs("outputs")
    received = backbone.feature_extractor()(inputs(stored))
    layers = np.stack([numpy(layer) for layer in received["layer_outputs"]])
    np.testing.assert_allclose(layers, stored["all_encoder_layers"], rtol=0, atol=TOLERANCE)
    np.testing.assert_allclose(numpy(received["sequence_output"]), stored["sequence_output"], rtol=0, atol=TOLERANCE)
    np.testing.assert_allclose(numpy(received["pooled_output"]), stored["pooled_output"], rtol=0, atol=TOLERANCE)


def test_embeddings_equal_google(golden):
    backbone, outputs = golden
    stored = outputs("outputs")
    words = backbone.token_embedding(stored["input_ids"])
    np.testing.assert_allclose(numpy(words), stored["word_embedding_output"], rtol=0, atol=TOLERANCE)
    embedded = backbone.embedding.embed(ops.array(stored["input_ids"]), ops.array(stored["segment_ids"]))
    np.testing.assert_allclose(numpy(embedded), stored["embedding_output"], rtol=0, atol=TOLERANCE)


def test_edge_masks_and_segments_equal_google(golden):
    backbone, outputs = golden
    stored = outputs("edge_outputs")
    received = backbone.feature_extractor()(inputs(stored))
    layers = np.stack([numpy(layer) for layer in received["layer_outputs"]])
    difference = np.abs(layers - stored["all_encoder_layers"]).max(axis=(0, 2, 3))
    assert difference[0] < ALL_MASKED_TOLERANCE  # the row whose mask is all zero
    assert (difference[1:] < TOLERANCE).all()
    pooled = np.abs(numpy(received["pooled_output"]) - stored["pooled_output"]).max(axis=1)
    assert pooled[0] < ALL_MASKED_TOLERANCE
    assert (pooled[1:] < TOLERANCE).all()


def test_left_out_mask_and_segments_equal_google(golden):
    backbone, outputs = golden
    stored = outputs("edge_outputs")
    received = backbone({"token_ids": stored["input_ids"]})
    np.testing.assert_allclose(
        numpy(received["sequence_output"]), stored["defaults_sequence_output"], rtol=0, atol=TOLERANCE
    )
    explicit = backbone(
        {
            "token_ids": stored["input_ids"],
            "segment_ids": np.zeros_like(stored["input_ids"]),
            "padding_mask": np.ones_like(stored["input_ids"]),
        }
    )
    np.testing.assert_array_equal(numpy(received["pooled_output"]), numpy(explicit["pooled_output"]))


@pytest.mark.parametrize("name", MODELS)
def test_longest_row_equals_google(golden_model, shared, name):
    archive, _ = golden_model(name)
    backbone = AlbertBackbone.from_preset(archive)
    with np.load(shared / "golden" / "model" / f"{name}_maxlen_outputs.npz") as stored:
        received = backbone(inputs(stored))
        np.testing.assert_allclose(
            numpy(received["sequence_output"]), stored["sequence_output"], rtol=0, atol=TOLERANCE
        )


def test_padding_and_what_stands_in_it_do_not_matter(backbone, rng):
    token_ids = rng.integers(5, 400, (2, 7)).astype("int32")
    alone = numpy(backbone({"token_ids": token_ids})["sequence_output"])
    padded = np.concatenate([token_ids, rng.integers(5, 400, (2, 9)).astype("int32")], axis=1)
    mask = np.repeat([[1] * 7 + [0] * 9], 2, axis=0).astype("int32")
    received = backbone({"token_ids": padded, "padding_mask": mask})
    np.testing.assert_allclose(numpy(received["sequence_output"])[:, :7], alone, atol=1e-5)


@pytest.mark.parametrize("policy", ["float32", "mixed_float16", "mixed_bfloat16"])
def test_padding_only_row_is_finite_in_output_and_gradient(policy):
    backbone = AlbertBackbone(30, 2, 2, 8, 16, 4, max_sequence_length=8, initializer_range=0.5, dtype=policy)
    model = keras.Model(backbone.input, keras.layers.Dense(1, dtype="float32")(backbone.output["pooled_output"]))
    model.compile(keras.optimizers.SGD(0.01), "mse")
    x = {"token_ids": np.ones((2, 6), "int32"), "segment_ids": np.zeros((2, 6), "int32")}
    x["padding_mask"] = np.array([[0] * 6, [1] * 6], "int32")
    assert np.isfinite(model.train_on_batch(x, np.ones((2, 1))))
    assert all(np.isfinite(numpy(weight)).all() for weight in model.trainable_variables)


def test_zeroed_embeddings_are_finite_in_float16():
    backbone = AlbertBackbone(30, 2, 2, 8, 16, 4, max_sequence_length=8, dtype="mixed_float16")
    for table in (backbone.token_embedding.embeddings, backbone.embedding.segment_embedding.embeddings):
        table.assign(np.zeros(table.shape))
    backbone.embedding.position_embedding.assign(np.zeros(backbone.embedding.position_embedding.shape))
    output = backbone({"token_ids": np.ones((1, 4), "int32")})["sequence_output"]
    assert np.isfinite(numpy(ops.cast(output, "float32"))).all()


def test_too_long_a_row_is_refused(backbone):
    with pytest.raises(ValueError, match="at most 32 tokens"):
        backbone({"token_ids": np.ones((1, 33), "int32")})


@pytest.mark.parametrize("wrong", [-1, 400])
def test_ids_outside_of_the_vocabulary_are_refused(backbone, wrong):
    with pytest.raises(ValueError, match=r"from 0 to 399.*Received: ids from"):
        backbone({"token_ids": np.array([[1, wrong]])})


def test_heads_matter_though_shapes_do_not():
    sizes = {"vocabulary_size": 30, "num_layers": 1, "hidden_dim": 8, "intermediate_dim": 16, "initializer_range": 0.5}
    two, four = (AlbertBackbone(num_heads=heads, embedding_dim=4, **sizes) for heads in (2, 4))
    four.set_weights(two.get_weights())
    x = {"token_ids": np.array([[1, 2, 3, 4]], "int32")}
    assert np.abs(numpy(two(x)["sequence_output"]) - numpy(four(x)["sequence_output"])).max() > 1e-3


def test_encoder_without_dropout_is_deterministic_in_training(backbone):
    x = {"token_ids": np.ones((1, 4), "int32")}
    first, second = (numpy(backbone(x, training=True)["sequence_output"]) for _ in range(2))
    np.testing.assert_array_equal(first, second)


def test_hidden_and_attention_dropout_are_separate():
    x = {"token_ids": np.array([[1, 2, 3, 4]], "int32")}
    for rates in ({"hidden_dropout": 0.5}, {"attention_dropout": 0.5}):
        backbone = AlbertBackbone(30, 1, 2, 8, 16, 4, initializer_range=0.5, **rates)
        first, second = (numpy(backbone(x, training=True)["sequence_output"]) for _ in range(2))
        assert not np.array_equal(first, second)
        np.testing.assert_array_equal(*(numpy(backbone(x, training=False)["sequence_output"]) for _ in range(2)))


@pytest.mark.parametrize("sharing", ["all", "attention", "feed_forward", "none"])
def test_sharing_decides_the_number_of_weights_and_config_brings_it_back(sharing):
    backbone = AlbertBackbone(30, 3, 2, 8, 16, 4, sharing=sharing, max_sequence_length=8, initializer_range=0.5)
    attention = 4 * (8 * 8 + 8) + 2 * 8
    feed_forward = 8 * 16 + 16 + 16 * 8 + 8 + 2 * 8
    rest = (30 + 2 + 8) * 4 + 2 * 4 + 4 * 8 + 8 + 8 * 8 + 8
    blocks = {"all": (1, 1), "attention": (1, 3), "feed_forward": (3, 1), "none": (3, 3)}[sharing]
    assert backbone.count_params() == rest + blocks[0] * attention + blocks[1] * feed_forward
    twin = AlbertBackbone.from_config(backbone.get_config())
    twin.set_weights(backbone.get_weights())
    x = {"token_ids": np.array([[1, 2, 3]], "int32")}
    np.testing.assert_array_equal(numpy(twin(x)["sequence_output"]), numpy(backbone(x)["sequence_output"]))


def test_shared_blocks_stay_shared_after_saving(backbone, tmp_path):
    backbone.save(tmp_path / "backbone.keras")
    loaded = keras.saving.load_model(tmp_path / "backbone.keras")
    assert isinstance(loaded, AlbertBackbone)
    assert loaded.count_params() == backbone.count_params()
    assert len(loaded.attention_blocks) == 4
    x = {"token_ids": np.array([[1, 2, 3]], "int32")}
    np.testing.assert_array_equal(numpy(loaded(x)["sequence_output"]), numpy(backbone(x)["sequence_output"]))
    backbone.save_weights(tmp_path / "backbone.weights.h5")
    twin = AlbertBackbone.from_config(backbone.get_config())
    twin.load_weights(tmp_path / "backbone.weights.h5")
    np.testing.assert_array_equal(numpy(twin(x)["sequence_output"]), numpy(backbone(x)["sequence_output"]))


# Paper, Table 1, in millions as printed, and the sizes it gives. BERT's rows leave out the pooler (with it: 335).
TABLE_1 = {
    "BERT base": (108, {"num_layers": 12, "hidden_dim": 768, "embedding_dim": 768, "sharing": "none"}),
    "BERT large": (334, {"num_layers": 24, "hidden_dim": 1024, "embedding_dim": 1024, "sharing": "none"}),
    "ALBERT base": (12, {"num_layers": 12, "hidden_dim": 768}),
    "ALBERT large": (18, {"num_layers": 24, "hidden_dim": 1024}),
    "ALBERT xlarge": (60, {"num_layers": 24, "hidden_dim": 2048}),
    "ALBERT xxlarge": (235, {"num_layers": 12, "hidden_dim": 4096}),
}
# Weights of the released checkpoints: the paper's figures for the two largest are 2% and 6% higher than these.
RELEASED = {
    "ALBERT base": 11_683_584,
    "ALBERT large": 17_683_968,
    "ALBERT xlarge": 58_724_864,
    "ALBERT xxlarge": 222_595_584,
}


@pytest.mark.parametrize("row", TABLE_1)
def test_parameters_of_the_papers_table_1(row, monkeypatch):
    monkeypatch.setattr(keras.initializers, "TruncatedNormal", lambda stddev: keras.initializers.Zeros())  # quick
    printed, sizes = TABLE_1[row]
    width = sizes["hidden_dim"]
    backbone = AlbertBackbone(
        vocabulary_size=30000, num_heads=width // 64, intermediate_dim=4 * width, dtype="bfloat16", **sizes
    )
    count = backbone.count_params()
    if row in RELEASED:
        assert count == RELEASED[row]
        assert count / 1e6 == pytest.approx(printed, rel=0.06)
    else:
        assert round((count - backbone.pooler.count_params()) / 1e6) == printed
    if row in ("ALBERT base", "ALBERT large"):
        assert round(count / 1e6) == printed


@pytest.mark.parametrize("dropout", [0.0, 0.3])
def test_rematerialized_training_equals_the_plain_one(dropout, rng):
    x = {"token_ids": rng.integers(0, 50, (4, 12)).astype("int32")}
    x |= {"segment_ids": np.zeros((4, 12), "int32"), "padding_mask": np.ones((4, 12), "int32")}
    weights = []
    for remat in (False, True):
        keras.utils.set_random_seed(3)
        backbone = AlbertBackbone(
            50, 3, 2, 16, 32, 8, hidden_dropout=dropout, attention_dropout=dropout, remat=remat, initializer_range=0.1
        )
        model = keras.Model(backbone.input, keras.layers.Dense(1)(backbone.output["pooled_output"]))
        model.compile(keras.optimizers.SGD(0.1), "mse")
        keras.utils.set_random_seed(4)  # PyTorch drops by its global generator
        for _ in range(2):
            model.train_on_batch(x, np.ones((4, 1)))
        weights.append(model.get_weights())
    for plain, rematerialized in zip(*weights, strict=True):
        np.testing.assert_allclose(rematerialized, plain, atol=1e-6)


def test_lora_trains_queries_and_values_only(backbone):
    backbone.enable_lora(2)
    names = {weight.path.split("/")[-2] for weight in backbone.trainable_variables}
    assert names == {"query", "value"}
    model = keras.Model(backbone.input, keras.layers.Dense(1)(backbone.output["pooled_output"]))
    model.compile(keras.optimizers.SGD(0.1), "mse")
    table = numpy(backbone.token_embedding.embeddings).copy()
    x = {name: np.ones((2, 6), "int32") for name in ("token_ids", "segment_ids", "padding_mask")}
    factor = backbone.attention_blocks[0].query.lora_kernel_b
    before = numpy(factor).copy()
    model.train_on_batch(x, np.ones((2, 1)))
    assert not np.array_equal(numpy(factor), before)
    np.testing.assert_array_equal(numpy(backbone.token_embedding.embeddings), table)


def test_int8_keeps_each_shared_weight_once_and_the_outputs(backbone, rng, little_garbage):
    x = {"token_ids": rng.integers(5, 400, (4, 16)).astype("int32")}
    before = numpy(backbone(x)["sequence_output"]).reshape(-1)
    backbone.quantize("int8")
    after = numpy(backbone(x)["sequence_output"]).reshape(-1)
    assert before @ after / (np.linalg.norm(before) * np.linalg.norm(after)) > 0.99
    int8 = [weight for weight in backbone.weights if str(weight.dtype) == "int8"]
    # Two tables, the projection, the pooler, and six kernels in each of four blocks, however often these run.
    assert len(int8) == 2 + 1 + 1 + 4 * 6


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"num_heads": 5}, "num_heads=5"),
        ({"activation": "swish_that_is_not"}, "activation="),
        ({"sharing": "some"}, "sharing="),
        ({"num_groups": 4}, "num_groups=4"),
    ],
)
def test_sizes_that_do_not_fit_are_refused(arguments, message):
    sizes = {"vocabulary_size": 30, "num_layers": 3, "num_heads": 2, "hidden_dim": 8, "intermediate_dim": 16}
    with pytest.raises(ValueError, match=message):
        AlbertBackbone(**(sizes | arguments))
