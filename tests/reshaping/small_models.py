"""A WordPiece tokenizer of 30 pieces, Chinese ones among them, and one small model of each class."""

from typing import Any

import numpy as np
from keras import ops

import keras_albert
from keras_albert.text.piece_editing import Piece, edited_model

PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "train", "was", "late", "##s", "re", "##mat", "##ch"]
PIECES += [*"atrins,.", "##a", "##in", "##n", *"我爱火车晚点"]

TASKS: dict[str, dict[str, Any]] = {
    "AlbertClassifier": {"class_names": ["bad", "good", "mixed"], "classifier_dropout": 0.2},
    "AlbertMaskedLM": {"head_layer_norm_epsilon": 1e-5},
    "AlbertMultipleChoice": {"choice_dropout": 0.2},
    "AlbertPretrainer": {},
    "AlbertQuestionAnswerer": {"head": "verifier", "n_best_size": 7},
    "AlbertRegressor": {"regressor_dropout": 0.2},
    "AlbertTextEmbedder": {"pooling": "cls", "normalize": True},
    "AlbertTokenClassifier": {"tags": ["O", "B-X", "I-X"]},
}


def chinese(**options: Any) -> keras_albert.AlbertWordPieceTokenizer:
    assert len(PIECES) == 30
    return keras_albert.AlbertWordPieceTokenizer(PIECES, **options)


def hand_made(scores: dict[str, float]) -> keras_albert.AlbertTokenizer:
    """Special tokens, user-defined symbols ("-" is one), and pieces with their scores."""
    proto = keras_albert.train_vocabulary(["a cat sat on a mat", "the cat was here"] * 20, 28)
    pieces = [Piece(text, score) for text, score in scores.items()]
    return keras_albert.AlbertTokenizer(edited_model(proto, range(13), pieces))


def small_backbone(**options: Any) -> keras_albert.AlbertBackbone:
    """E != H, two groups, three heads, as many ids as pieces, 16 positions."""
    sizes = {"vocabulary_size": 30, "num_layers": 2, "num_heads": 3, "hidden_dim": 12, "intermediate_dim": 20}
    sizes |= {"embedding_dim": 8, "num_groups": 2, "max_sequence_length": 16, "initializer_range": 0.3}
    return keras_albert.AlbertBackbone(**(sizes | options))


def small_task(task: str, tokenizer: Any = None, backbone: Any = None, **options: Any) -> Any:
    """A task with its preprocessor; the MLM head's bias has other values for each piece."""
    cls = getattr(keras_albert, task)
    lengths = {"max_sequence_length": 16}
    lengths |= {"max_question_length": 4} if task == "AlbertQuestionAnswerer" else {}
    preprocessor = cls.preprocessor_cls(tokenizer or chinese(), **lengths)
    model = cls(backbone or small_backbone(), preprocessor=preprocessor, **(TASKS[task] | options))
    if hasattr(model, "masked_lm_head"):
        bias = model.masked_lm_head.output_bias
        bias.assign([(-1) ** id * id / 7 for id in range(bias.shape[0])])
    return model


def arrays_of(model: Any) -> dict[str, np.ndarray]:
    """The weights by their paths."""
    return {variable.path: ops.convert_to_numpy(variable) for variable in model.weights}


def assert_others_equal(old: Any, new: Any, *changed: str) -> None:
    """All weights but those whose paths end so are equal, and every configuration but for sizes and vocabulary."""
    before, after = arrays_of(old), arrays_of(new)
    assert before.keys() == after.keys()
    for path, array in before.items():
        if not path.endswith(changed):
            np.testing.assert_array_equal(array, after[path], err_msg=path)
    assert type(new) is type(old)
    configs = [model.get_config() for model in (old, new)]
    for config in configs:
        sizes = config if "vocabulary_size" in config else config["backbone"]["config"]
        del sizes["vocabulary_size"], sizes["max_sequence_length"]
        if config.get("preprocessor"):
            del config["preprocessor"]["config"]["tokenizer"]
    assert configs[0] == configs[1]
