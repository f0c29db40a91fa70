"""A model in another size: what it keeps, and which models can't have one."""

import keras
import pytest
from small_models import chinese, small_backbone, small_task

from keras_albert import extend_positions, resize_vocabulary
from keras_albert.reshaping.rebuilding import backbone_of


def trainable_flags(model) -> dict[str, bool]:
    layers = {layer.path: layer.trainable for layer in model._flatten_layers()}
    return layers | {variable.path: variable.trainable for variable in model.weights}


def test_trainable_flags_are_kept():
    model = small_task("AlbertPretrainer")
    backbone = model.backbone
    backbone.embedding.trainable = False
    backbone.attention_blocks[1].trainable = False  # part of an encoder that is trainable itself
    backbone.feed_forward_blocks[0].layer_norm.trainable = False
    model.sentence_order_head.trainable = False
    backbone.pooler.bias.trainable = False
    extended = extend_positions(model, 20)
    assert trainable_flags(extended) == trainable_flags(model)
    assert [variable.path for variable in extended.trainable_variables] == [
        variable.path for variable in model.trainable_variables
    ]


def test_frozen_backbone_stays_frozen():
    model = small_task("AlbertClassifier")
    model.backbone.trainable = False
    extended = extend_positions(model, 20)
    assert not extended.backbone.trainable
    assert [variable.path for variable in extended.trainable_variables] == [
        "classifier_head/kernel",
        "classifier_head/bias",
    ]


def test_blocks_of_a_frozen_encoder_that_another_one_shares_keep_their_flags():
    backbone = small_backbone(sharing="attention")  # one attention block, as many feed-forward blocks as layers
    backbone.layers[-2].trainable = False
    backbone.attention_blocks[0].trainable = True
    assert trainable_flags(extend_positions(backbone, 20)) == trainable_flags(backbone)


def test_names_of_weights_are_kept():
    model = small_task("AlbertClassifier", name="mine")
    extended = extend_positions(model, 20)
    assert extended.name == "mine"
    assert [variable.path for variable in extended.weights] == [variable.path for variable in model.weights]


def test_lora_is_refused():
    model = small_task("AlbertClassifier")
    model.backbone.enable_lora(2)
    for reshape in (lambda: extend_positions(model, 20), lambda: resize_vocabulary(model.backbone, 31, chinese())):
        with pytest.raises(ValueError, match=r"with LoRA.*call `enable_lora`.*Received: model=.* in .*attention_block"):
            reshape()


@pytest.mark.usefixtures("little_garbage")
def test_quantized_weights_are_refused():
    model = small_task("AlbertClassifier")
    model.quantize("int8")
    for reshape in (lambda: extend_positions(model, 20), lambda: resize_vocabulary(model.backbone, 31)):
        with pytest.raises(ValueError, match=r"quantized model.*call `quantize`.*Received: .* int8 weights in "):
            reshape()


def test_other_models_are_refused():
    for model in (keras.Sequential([keras.layers.Dense(2)]), "albert_base", None):
        with pytest.raises(ValueError, match=r"Expected an AlbertBackbone or a task on one. Received: model="):
            backbone_of(model)
