from keras_albert.pretraining.sentences import split_sentences


def test_english_is_split_but_not_at_abbreviations_and_numbers():
    text = "Mr. Holmes paid 3.5 pounds to Dr. Watson, M.D., in St. Ives. What for?! He never said..."
    assert split_sentences(text) == [
        "Mr. Holmes paid 3.5 pounds to Dr. Watson, M.D., in St. Ives.",
        "What for?!",
        "He never said...",
    ]


def test_chinese_is_split_at_its_own_marks():
    assert split_sentences("你好。我是谁？他说：“好的。”然后走了！", "zh") == [
        "你好。",
        "我是谁？",
        "他说：“好的。”",
        "然后走了！",
    ]


def test_white_space_and_nothing_give_no_sentence():
    assert split_sentences("") == []
    assert split_sentences(" \t\u3000 ") == []


def test_a_paragraph_longer_than_a_part_loses_nothing_and_is_cut_where_sentences_end():
    sentences = [f"This is sentence {number} of a very long paragraph." for number in range(1000)]
    assert split_sentences(" ".join(sentences)) == sentences


def test_a_sentence_longer_than_a_part_is_cut_at_blanks():
    text = "word " * 5000
    found = split_sentences(text)
    assert all(set(sentence.split()) == {"word"} for sentence in found)
    assert sum(len(sentence.split()) for sentence in found) == 5000


def test_text_without_blanks_keeps_every_character():
    assert "".join(split_sentences("字" * 12_345)) == "字" * 12_345


def test_many_quotation_marks_take_no_quadratic_time():
    assert len(split_sentences("“你好。" * 25_000)) == 25_000  # 10 s and more in one part


def test_a_lone_surrogate_is_replaced():
    assert split_sentences("A\ud800. B.") == ["A\ufffd.", "B."]
