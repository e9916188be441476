"""What a text must be before it is scored, and what is worth saying about it.

Empty and far too long texts are refused. Texts that can be scored but whose score means little are marked: other
scripts or mostly unknown words (the parser and the word vectors are English), emoji, and the preamble of a language
model that slipped in with its answer ("Here are 20 variations…", found in published task files).
"""

from __future__ import annotations

import re
import unicodedata

from proctor.tasks.words import COMMON_WORDS, LanguageError

MAX_WORDS = 200
"""Ten times the longest published instruction. The edit distance grows faster than the square of the length."""

NOT_ENGLISH, EMOJI, PREAMBLE = "not_english", "emoji", "preamble"
NOTES = {
    NOT_ENGLISH: "does not look like English: the parser and the word vectors know only English",
    EMOJI: "holds emoji: the parser takes them for words",
    PREAMBLE: "looks like the preamble or the list of a language model, not like an instruction",
}
_PREAMBLE = re.compile(
    r"^\W*(here(?:'s| is| are)\b.{0,60}\b(?:variation|paraphrase|version|instruction|rephras|rewrit|option|alternativ)"
    r"|(?:sure|certainly|of course|absolutely)\s*[!,.:]"
    r"|as an? (?:ai|language model|assistant)\b"
    r"|i(?:'m| am) (?:sorry|unable)\b|i (?:cannot|can't) (?:help|assist|comply|fulfil|provide)\b)",
    re.IGNORECASE,
)
_LIST = re.compile(r"(?m)^\s*(?:\d+[.)]|[-*•])\s+\S.*\n\s*(?:\d+[.)]|[-*•])\s")


def require_text(text: str, what: str) -> None:
    """Raise a `LanguageError` that begins with ``what`` if ``text`` cannot be scored."""
    words = len(text.split())
    if not any(character.isalnum() for character in text):
        raise LanguageError(f"{what} is empty: an instruction needs at least one word")
    if words > MAX_WORDS:
        raise LanguageError(f"{what} has {words} words: an instruction may have at most {MAX_WORDS}")


def notes_on(text: str) -> tuple[str, ...]:
    """Return the `NOTES` that apply to ``text``, in a fixed order."""
    found = []
    if _foreign(text):
        found.append(NOT_ENGLISH)
    if any(_is_emoji(character) for character in text):
        found.append(EMOJI)
    if _PREAMBLE.search(text) or _LIST.search(text):
        found.append(PREAMBLE)
    return tuple(found)


def _is_emoji(character: str) -> bool:
    return unicodedata.category(character) == "So" and ord(character) >= 0x2190


def _foreign(text: str) -> bool:
    letters = [character for character in text if character.isalpha()]
    latin = sum("LATIN" in unicodedata.name(character, "") for character in letters)
    if 2 * latin < len(letters):
        return True
    words = re.findall(r"[^\W\d_]+", text.lower())
    return len(words) >= 4 and not COMMON_WORDS.intersection(words)
