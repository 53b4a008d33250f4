r"""Emoji of several code points that Unicode recommends (RGI), such as a flag, a family or a hand with a skin tone.

Twitter-text weighs each of them as one emoji. Other sequences of emoji are weighed by their code points, which is more.

Source: Unicode 17, `emoji-sequences.txt` and `emoji-zwj-sequences.txt`: what ``\p{RGI_Emoji}`` matches in JavaScript.
"""

import re

_JOIN = "\u200d"
_STYLE = "\ufe0f"
_SKIN = "[🏻-🏿]"
_GENDER = f"{_JOIN}[♀♂]{_STYLE}"
_TO_THE_RIGHT = f"{_JOIN}➡{_STYLE}"
_CHILDREN = f"(?:👦(?:{_JOIN}👦)?|👧(?:{_JOIN}[👦👧])?)"
_ROLE = f"(?:[⚕⚖✈]{_STYLE}|[🌾🍳🍼🎓🎤🎨🏫🏭💻💼🔧🔬🚀🚒🦰-🦳]|[🦯🦼🦽](?:{_TO_THE_RIGHT})?)"
_WITH_LOVE_TO = f"❤{_STYLE}{_JOIN}(?:💋{_JOIN})?"

#: Text characters that become emoji by a variation selector.
_STYLED = (
    "©®‼⁉™ℹ↔-↙↩↪⌨⏏⏭-⏯⏱⏲⏸-⏺Ⓜ▪▫▶◀◻◼☀-☄☎☑☘☠☢☣☦☪☮☯☸-☺♀♂♟♠♣♥♦♨"
    "♻♾⚒⚔-⚗⚙⚛⚜⚠⚧⚰⚱⛈⛏⛑⛩⛰⛱⛴⛷⛸✂✈✉✏✒✔✖✝✡✳✴❄❇❣➡⤴⤵⬅-⬇〰〽㊗㊙🅰🅱🅾🅿🈂🈷"
    "🌡🌤-🌬🌶🍽🎖🎗🎙-🎛🎞🎟🏍🏎🏔-🏟🏵🏷🐿📽🕉🕊🕯🕰🕳🕶-🕹🖇🖊-🖍🖥🖨🖱🖲🖼🗂-🗄🗑-🗓🗜-🗞🗡🗣🗨🗯"
    "🗳🗺🛋🛍-🛏🛠-🛥🛩🛰🛳"
)
#: People and hands that have a skin tone.
_SKINNED = "✊✋🎅🏂🏇👂👃👆-👐👦👧👫-👭👲👴-👶👸👼💃💅💏💑💪🕺🖕🖖🙌🙏🛀🛌🤌🤏🤘-🤟🤰-🤴🤶🥷🦵🦶🦻🧒🧓🧕🫃-🫅🫰🫲-🫸"
#: People that have a gender too.
_GENDERED = "🏄🏊👮-👱👳👷💁💂💆💇🙅-🙇🙋🙍🙎🚣🚴🚵🤦🤵🤷-🤹🤼-🤾🦸🦹🧍🧏🧔🧖-🧝"
_FLAGS = (
    "🇦[🇨-🇬🇮🇱🇲🇴🇶-🇺🇼🇽🇿]|🇧[🇦🇧🇩-🇯🇱-🇴🇶-🇹🇻🇼🇾🇿]|🇨[🇦🇨🇩🇫-🇮🇰-🇷🇺-🇿]"
    "|🇩[🇪🇬🇯🇰🇲🇴🇿]|🇪[🇦🇨🇪🇬🇭🇷-🇺]|🇫[🇮-🇰🇲🇴🇷]|🇬[🇦🇧🇩-🇮🇱-🇳🇵-🇺🇼🇾]"
    "|🇭[🇰🇲🇳🇷🇹🇺]|🇮[🇨-🇪🇱-🇴🇶-🇹]|🇯[🇪🇲🇴🇵]|🇰[🇪🇬-🇮🇲🇳🇵🇷🇼🇾🇿]"
    "|🇱[🇦-🇨🇮🇰🇷-🇻🇾]|🇲[🇦🇨-🇭🇰-🇿]|🇳[🇦🇨🇪-🇬🇮🇱🇴🇵🇷🇺🇿]|🇴🇲"
    "|🇵[🇦🇪-🇭🇰-🇳🇷-🇹🇼🇾]|🇶🇦|🇷[🇪🇴🇸🇺🇼]|🇸[🇦-🇪🇬-🇴🇷-🇹🇻🇽-🇿]"
    "|🇹[🇦🇨🇩🇫-🇭🇯-🇴🇷🇹🇻🇼🇿]|🇺[🇦🇬🇲🇳🇸🇾🇿]|🇻[🇦🇨🇪🇬🇮🇳🇺]|🇼[🇫🇸]|🇽🇰"
    "|🇾[🇪🇹]|🇿[🇦🇲🇼]"
)
_ENGLAND_SCOTLAND_WALES = (
    "🏴\U000e0067\U000e0062"
    "(?:\U000e0065\U000e006e\U000e0067|\U000e0073\U000e0063\U000e0074|\U000e0077\U000e006c\U000e0073)\U000e007f"
)


def _other_than(group: str) -> str:
    """A skin tone that belongs to no group."""
    return f"(?!(?P={group})){_SKIN}"


_PEOPLE = (
    f"👨{_JOIN}(?:{_ROLE}|{_WITH_LOVE_TO}👨|(?:[👨👩]{_JOIN})?{_CHILDREN})",
    f"👨(?P<man>{_SKIN})(?:{_JOIN}(?:{_ROLE}|{_WITH_LOVE_TO}👨{_SKIN}|[🐰🤝🫯]{_JOIN}👨{_other_than('man')}))?",
    f"👩{_JOIN}(?:{_ROLE}|{_WITH_LOVE_TO}[👨👩]|(?:👩{_JOIN})?{_CHILDREN})",
    f"👩(?P<woman>{_SKIN})(?:{_JOIN}(?:{_ROLE}|{_WITH_LOVE_TO}[👨👩]{_SKIN}"
    f"|[🐰🫯]{_JOIN}👩{_other_than('woman')}|🤝{_JOIN}[👨👩]{_other_than('woman')}))?",
    f"🧑{_JOIN}(?:{_ROLE}|[🎄🩰]|🤝{_JOIN}🧑|(?:🧑{_JOIN})?🧒(?:{_JOIN}🧒)?)",
    f"🧑(?P<person>{_SKIN})(?:{_JOIN}(?:{_ROLE}|[🎄🩰]|🤝{_JOIN}🧑{_SKIN}"
    f"|(?:{_WITH_LOVE_TO}|[🐰🫯]{_JOIN})🧑{_other_than('person')}))?",
    f"🫱(?P<hand>{_SKIN})(?:{_JOIN}🫲{_other_than('hand')})?",
    f"[{_SKINNED}]{_SKIN}",
    f"[{_GENDERED}](?:{_SKIN}(?:{_GENDER})?|{_GENDER})",
    f"[🏃🚶🧎](?:{_SKIN}(?:{_GENDER})?(?:{_TO_THE_RIGHT})?|{_GENDER}(?:{_TO_THE_RIGHT})?|{_TO_THE_RIGHT})",
    f"[⛹🏋🏌🕵](?:{_STYLE}|{_SKIN})(?:{_GENDER})?",
    f"[☝✌✍🕴🖐](?:{_STYLE}|{_SKIN})",
    f"[🧞🧟]{_GENDER}",
    f"😮{_JOIN}💨|😵{_JOIN}💫|😶{_JOIN}🌫{_STYLE}|🙂{_JOIN}[↔↕]{_STYLE}",
)
_OTHERS = (
    f"[#*0-9]{_STYLE}\u20e3",
    f"[{_STYLED}]{_STYLE}",
    f"❤{_STYLE}(?:{_JOIN}[🔥🩹])?",
    f"⛓{_STYLE}(?:{_JOIN}💥)?",
    f"👁{_STYLE}(?:{_JOIN}🗨{_STYLE})?",
    f"🏳{_STYLE}(?:{_JOIN}(?:⚧{_STYLE}|🌈))?",
    f"🏴{_JOIN}☠{_STYLE}",
    f"🐈{_JOIN}⬛|🐕{_JOIN}🦺|🐦{_JOIN}[⬛🔥]|🐻{_JOIN}❄{_STYLE}|🍄{_JOIN}🟫|🍋{_JOIN}🟩",
)
_SEQUENCE = re.compile("|".join((*_PEOPLE, *_OTHERS, _FLAGS, _ENGLAND_SCOTLAND_WALES)))


def is_emoji_sequence(text: str) -> bool:
    """True if the whole text is one emoji of several code points."""
    return _SEQUENCE.fullmatch(text) is not None
