"""Splitting of paragraphs into sentences by sentencex, which knows the abbreviations and marks of many languages."""

from sentencex import segment

from keras_albert.text.normalization import replace_surrogates

# sentencex takes time by the square of a text's number of quotation marks, so that a text comes to it in parts.
_PART_CHARACTERS = 5_000


def split_sentences(text: str, language: str = "en") -> list[str]:
    """Split a paragraph into its sentences.

    Nothing but white space around sentences is lost. A sentence of more than 5,000 characters may be cut at a blank.

    Args:
        text: one paragraph.
        language: code of the language, such as "en" or "zh"; one that sentencex does not know is split by the rules
            that most languages share.

    Returns:
        The sentences in order, without white space around them, none of them empty.

    >>> split_sentences('Mr. Smith came. "Good!" he said.  It was 3.5 miles to St. Ives.')
    ['Mr. Smith came.', '"Good!" he said.', 'It was 3.5 miles to St. Ives.']
    >>> split_sentences("你好。我是谁？他走了！", "zh")
    ['你好。', '我是谁？', '他走了！']
    """
    text = replace_surrogates(text)
    sentences: list[str] = []
    start = 0
    while start < len(text):
        end = _end_of_part(text, start)
        found = segment(language, text[start:end])
        if end < len(text) and len(found) > 1:
            # What comes last may go on in the next part.
            end -= len(found.pop())
        sentences.extend(found)
        start = end
    return [stripped for sentence in sentences if (stripped := sentence.strip())]


def _end_of_part(text: str, start: int) -> int:
    end = start + _PART_CHARACTERS
    if end >= len(text):
        return len(text)
    blank = text.rfind(" ", start + 1, end)
    return end if blank < 0 else blank + 1
