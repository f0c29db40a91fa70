import pytest

from keras_albert.checkpoints.stored_names import SLOT, STEP, UNTRAINED, organize

pytestmark = pytest.mark.any_backend

BLOCK = "bert/encoder/transformer/group_0/inner_group_0"


def test_slots_of_any_optimizer_are_skipped():
    names = ["bert/a/kernel", *(f"bert/a/kernel/{slot}" for slot in ("adam_m", "lamb_v", "Adam_1", "Momentum"))]
    lone = ["bert/b/kernel/adam_v", "bert/b/kernel/lamb_m"]

    organized = organize([*names, *lone, "global_step", "beta1_power"])

    assert organized.sources == {"bert/a/kernel": ("bert/a/kernel",)}
    assert organized.skipped == {
        **dict.fromkeys(names[1:] + lone, SLOT),
        "global_step": STEP,
        "beta1_power": STEP,
    }


def test_module_prefix_is_left_out():
    organized = organize(["module/bert/a", "module/cls/predictions/output_bias"])

    assert organized.sources == {
        "bert/a": ("module/bert/a",),
        "cls/predictions/output_bias": ("module/cls/predictions/output_bias",),
    }


def test_modules_heads_are_untrained_beside_a_fine_tuned_head():
    organized = organize(["module/bert/a", "module/cls/predictions/output_bias", "start_logits/dense/kernel"])

    assert organized.skipped == {"module/cls/predictions/output_bias": UNTRAINED}
    assert set(organized.sources) == {"bert/a", "start_logits/dense/kernel"}


def test_keras_spelling_of_shared_layer_norms_is_read():
    stored = {
        "bert/embeddings/layer_normalization/gamma": "bert/embeddings/LayerNorm/gamma",
        f"{BLOCK}/layer_normalization_1/beta": f"{BLOCK}/LayerNorm/beta",
        f"{BLOCK}/layer_normalization_2/beta": f"{BLOCK}/LayerNorm_1/beta",
        "cls/predictions/transform/layer_normalization_3/gamma": "cls/predictions/transform/LayerNorm/gamma",
    }

    assert organize(stored).sources == {canonical: (name,) for name, canonical in stored.items()}


def test_layer_norms_of_ten_and_more_are_ordered_by_number():
    stored = [f"{BLOCK}/layer_normalization_{number}/gamma" for number in (9, 10)]

    assert organize(stored).sources == {
        f"{BLOCK}/LayerNorm/gamma": (stored[0],),
        f"{BLOCK}/LayerNorm_1/gamma": (stored[1],),
    }


def test_layer_norms_of_each_layer_claim_one_name():
    scopes = ["group_0/layer_0", "group_0_1/layer_1", "group_0_11/layer_11"]
    stored = [
        f"bert/encoder/transformer/{scope}/inner_group_0/layer_normalization_{2 * layer + which}/beta"
        for scope, layer in zip(scopes, (0, 1, 11), strict=True)
        for which in (1, 2)
    ]

    organized = organize(stored)

    assert set(organized.sources) == {f"{BLOCK}/LayerNorm/beta", f"{BLOCK}/LayerNorm_1/beta"}
    assert set(organized.sources[f"{BLOCK}/LayerNorm_1/beta"]) == set(stored[1::2])


def test_googles_own_names_stay():
    names = [
        f"{BLOCK}/LayerNorm/beta",
        f"{BLOCK}/LayerNorm_1/beta",
        "end_logits/LayerNorm/beta",
        "bert/pooler/dense/bias",
    ]

    assert organize(names).sources == {name: (name,) for name in sorted(names)}
