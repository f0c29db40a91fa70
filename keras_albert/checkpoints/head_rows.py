"""The rows of the weight table that belong to heads.

Names follow `run_pretraining.py`, `classifier_utils.py`, `race_utils.py` and `squad_utils.py` of google-research's
albert, and `modeling_albert.py` of transformers.
"""

from keras_albert.checkpoints.weight_row import WeightRow, dense_rows, layer_norm_rows, output_rows

# A head that no checkpoint of Google's has goes by this name in their place.
NOT_GOOGLES = "tag_head"


def head_rows() -> list[WeightRow]:
    """Lists the weights of every head.

    `classifier_head` is any dense layer over the pooled output: a classifier's, and at width 1 a regressor's or a
    multiple choice's.
    """
    return [
        *_masked_lm_rows(),
        *output_rows("sentence_order_head", "", "cls/seq_relationship", "sop_classifier.classifier", 2),
        *output_rows("classifier_head", "", "", "classifier", "num_classes"),
        *dense_rows("tag_head", "", NOT_GOOGLES, "classifier", "hidden_dim", "num_classes"),
        *output_rows("span_head", "dense", "cls/squad", "qa_outputs", 2),
        *_verifier_rows(),
    ]


def _masked_lm_rows() -> list[WeightRow]:
    part, google = "masked_lm_head", "cls/predictions"
    return [
        *dense_rows(part, "transform", f"{google}/transform/dense", "predictions.dense", "hidden_dim", "embedding_dim"),
        *layer_norm_rows(part, "layer_norm", f"{google}/transform/LayerNorm", "predictions.LayerNorm", "embedding_dim"),
        WeightRow(part, "output_bias", f"{google}/output_bias", "predictions.bias", ("vocabulary_size",)),
    ]


def _verifier_rows() -> list[WeightRow]:
    part, width = "verifier_head", "hidden_dim"
    end, unanswerable = "end_logits", "answer_class"
    return [
        *dense_rows(part, "start", "start_logits/dense", None, width, 1),
        *dense_rows(part, "end_transform", f"{end}/dense_0", None, f"2*{width}", width),
        *layer_norm_rows(part, "end_layer_norm", f"{end}/LayerNorm", None, width),
        *dense_rows(part, "end", f"{end}/dense_1", None, width, 1),
        *dense_rows(part, "unanswerable_transform", f"{unanswerable}/dense_0", None, f"2*{width}", width),
        dense_rows(part, "unanswerable", f"{unanswerable}/dense_1", None, width, 1)[0],  # it has no bias
    ]
