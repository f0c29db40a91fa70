import pytest
from golden_texts import tiny_proto
from sentencepiece import SentencePieceProcessor, sentencepiece_model_pb2

from keras_albert.text.piece_editing import Piece, PieceKind, edited_model, is_unigram, read_pieces

pytestmark = pytest.mark.any_backend


def parsed(proto: bytes):
    return sentencepiece_model_pb2.ModelProto.FromString(proto)


def tuples(proto: bytes) -> list[tuple[str, float, int]]:
    return [(piece.piece, piece.score, piece.type) for piece in parsed(proto).pieces]


def test_pieces_are_those_that_protobuf_reads() -> None:
    pieces = read_pieces(tiny_proto())
    assert len(pieces) == 124
    assert [(piece.text, piece.score, int(piece.kind)) for piece in pieces] == tuples(tiny_proto())
    assert {piece.kind for piece in pieces} >= {PieceKind.NORMAL, PieceKind.UNKNOWN, PieceKind.CONTROL}


def test_a_model_with_all_its_pieces_is_the_same_message() -> None:
    assert parsed(edited_model(tiny_proto(), range(124))) == parsed(tiny_proto())


def test_other_pieces_and_everything_else() -> None:
    kept = [*range(1, 10), 50, 123]
    added = [Piece("▁我", -2.5), Piece("x", -(2.0**-20), PieceKind.USER_DEFINED)]
    edited = edited_model(tiny_proto(), kept, added)
    old = tuples(tiny_proto())
    assert tuples(edited) == [*(old[id] for id in kept), ("▁我", -2.5, 1), ("x", -(2.0**-20), 4)]
    assert SentencePieceProcessor(model_proto=edited).id_to_piece(11) == "▁我"
    before, after = parsed(tiny_proto()), parsed(edited)
    assert after.normalizer_spec == before.normalizer_spec
    assert after.trainer_spec.vocab_size == 13
    assert (before.trainer_spec.unk_id, before.trainer_spec.pad_id) == (1, 0)
    # The unknown piece has moved, and that of padding is gone.
    assert (after.trainer_spec.unk_id, after.trainer_spec.pad_id) == (0, -1)
    for spec in (before.trainer_spec, after.trainer_spec):
        for name in ("vocab_size", "unk_id", "pad_id"):
            spec.ClearField(name)
    assert after.trainer_spec == before.trainer_spec


def test_self_tests_that_no_longer_hold_are_left_out() -> None:
    self_tests = b"\x22\x04\x0a\x02\x0a\x00"  # field 4 of the message
    assert edited_model(tiny_proto() + self_tests, range(124)) == edited_model(tiny_proto(), range(124))


@pytest.mark.parametrize("kind", [1, 2])
def test_kind_of_model(kind: int) -> None:
    model = parsed(tiny_proto())
    model.trainer_spec.model_type = kind
    assert is_unigram(model.SerializeToString()) == (kind == 1)
    model.trainer_spec.ClearField("model_type")
    assert is_unigram(model.SerializeToString())  # unigram by default
