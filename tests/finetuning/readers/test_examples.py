import pytest

from keras_albert.finetuning.readers.examples import Examples, class_names_of

pytestmark = pytest.mark.any_backend


def test_inputs_are_texts_or_two_columns() -> None:
    assert Examples(["a", "b"]).inputs == ["a", "b"]
    assert Examples(["a", "b"], ["c", "d"]).inputs == (["a", "b"], ["c", "d"])


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"texts": []}, "at least one row in dev.tsv"),
        ({"texts": ["a", "b"], "labels": ["1"]}, "'texts': 2, 'labels': 1"),
        ({"texts": ["a"], "pairs": ["b", "c"]}, "'texts': 1, 'pairs': 2"),
    ],
)
def test_columns_that_do_not_fit_are_refused(columns: dict[str, list[str]], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Examples(**columns, source="dev.tsv")


def test_sample_keeps_rows_together_and_in_their_order() -> None:
    rows = [str(row) for row in range(50)]
    drawn = Examples(
        rows, [f"pair {row}" for row in rows], [f"label {row}" for row in rows], rows, source="x.tsv"
    ).sample(10, seed=3)
    assert len(drawn) == 10
    assert drawn.texts == sorted(set(drawn.texts), key=int)
    assert drawn.pairs == [f"pair {row}" for row in drawn.texts]
    assert drawn.labels == [f"label {row}" for row in drawn.texts]
    assert (drawn.ids, drawn.source) == (drawn.texts, "x.tsv")
    # Not the beginning, which in a file sorted by label has one class.
    assert drawn.texts != rows[:10]


def test_sample_depends_on_the_seed_alone() -> None:
    examples = Examples([str(row) for row in range(50)])
    assert examples.sample(5, seed=1) == examples.sample(5, seed=1)
    assert examples.sample(5, seed=1) != examples.sample(5, seed=2)


def test_sample_of_more_rows_than_there_are_is_all() -> None:
    examples = Examples(["a", "b"])
    assert examples.sample(None, seed=0) is examples
    assert examples.sample(2, seed=0) is examples
    with pytest.raises(ValueError, match="rows=0"):
        examples.sample(0, seed=0)


def test_label_numbers_name_the_source_and_the_unknown_labels() -> None:
    examples = Examples(["a", "b", "c"], labels=["1", "2", "2"], source="dev.tsv")
    assert examples.label_numbers(["2", "1"]).tolist() == [1, 0, 0]
    with pytest.raises(ValueError, match=r"dev\.tsv\. Received: \['2'\] in 2 of 3 rows"):
        examples.label_numbers(["0", "1"])
    with pytest.raises(ValueError, match="Expected labels in dev"):
        Examples(["a"], source="dev").label_numbers(["0", "1"])


def test_class_names_are_sorted_by_number_where_all_are_numbers() -> None:
    assert class_names_of(Examples(["a", "b", "c"], labels=["10", "9", "9"])) == ["9", "10"]
    assert class_names_of(Examples(["a", "b", "c"], labels=["no", "10", "9"])) == ["10", "9", "no"]


def test_a_single_class_is_refused() -> None:
    with pytest.raises(ValueError, match=r"two classes in train\.csv\. Received: \['1'\]"):
        class_names_of(Examples(["a", "b"], labels=["1", "1"], source="train.csv"))
    with pytest.raises(ValueError, match="Expected labels"):
        class_names_of(Examples(["a", "b"]))


def test_sets_of_classes_become_ones_and_zeros() -> None:
    examples = Examples(["a", "b"], labels=[["y", "x"], []], source="dev.tsv")
    assert examples.label_matrix(["x", "y", "z"]).tolist() == [[1, 1, 0], [0, 0, 0]]
    assert class_names_of(examples) == ["x", "y"]
    with pytest.raises(ValueError, match=r"among \['x'\] in dev\.tsv\. Received: \['y'\]"):
        examples.label_matrix(["x"])
    with pytest.raises(ValueError, match="lists of names"):
        Examples(["a"], labels=["x"]).label_matrix(["x"])


def test_scores_become_floats() -> None:
    assert Examples(["a", "b"], labels=[5, 0.25]).label_values().tolist() == [5, 0.25]
    for label in ("5", True, float("nan"), None):
        with pytest.raises(ValueError, match="Expected numbers as labels"):
            Examples(["a"], labels=[label]).label_values()
