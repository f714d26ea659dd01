"""What a game refuses: first what several games say, then each game's own."""

from collections.abc import Mapping
from typing import Final

from server.refusal_texts.texts import Texts

_HANDS: Final = {
    "stale_hand": Texts("This hand is not in play.", "यह हाथ अभी नहीं चल रहा।"),
    "stale_turn": Texts("The turn has moved on.", "बारी आगे बढ़ चुकी है।"),
    "not_in_hand": Texts("You are not in this hand.", "आप इस हाथ में नहीं हैं।"),
    "dealer_acts": Texts(
        "The cards are being shuffled.",
        "पत्ते फेंटे जा रहे हैं।",
    ),
    "not_your_turn": Texts("It is not your turn.", "अभी आपकी बारी नहीं है।"),
    "hand_over": Texts("The hand is over.", "हाथ खत्म हो चुका है।"),
    "not_held": Texts("You do not hold this card.", "यह पत्ता आपके हाथ में नहीं है।"),
    "not_handed_over": Texts(
        "You play your seat yourself already.",
        "आपकी सीट पहले से आप ही खेल रहे हैं।",
    ),
}

_RUMMY: Final = {
    "already_drawn": Texts(
        "You have drawn already: one card a turn.",
        "आप पत्ता उठा चुके हैं: एक बारी में एक ही।",
    ),
    "must_draw_first": Texts("Draw a card first.", "पहले एक पत्ता उठाइए।"),
    "must_discard": Texts(
        "You have drawn: discard a card or declare.",
        "पत्ता उठा लिया है: अब एक फेंकिए या डिक्लेयर कीजिए।",
    ),
    "just_drawn": Texts(
        "The card just taken from the open pile may not be discarded.",
        "खुले ढेर से अभी उठाया हुआ पत्ता फेंका नहीं जा सकता।",
    ),
    "open_empty": Texts("The open pile is empty.", "खुला ढेर खाली है।"),
    "open_joker": Texts(
        "A joker may not be taken from the open pile.",
        "खुले ढेर से जोकर नहीं उठाया जा सकता।",
    ),
    "bad_groups": Texts(
        "The groups are not the thirteen other cards.",
        "ग्रुप बाकी तेरह पत्तों से नहीं बने हैं।",
    ),
}

_TRICKS: Final = {
    "must_follow": Texts(
        "Follow the suit that was led.",
        "पहले पत्ते वाला सूट आपके पास है: वही चलिए।",
    ),
    "no_trump_now": Texts("Trump is not named now.", "अभी तुरुप का रंग नहीं चुना जा रहा।"),
    "no_card_now": Texts("No card is played now.", "अभी पत्ता चलने का समय नहीं है।"),
}

_COURT_PIECE: Final = {
    "partner_in_turn": Texts(
        "It is your partner's turn, not yours.",
        "अभी आपके साथी की बारी है, आपकी नहीं।",
    ),
    "partner_may_not_pass": Texts(
        "The choice was passed once already: name trump.",
        "साथी पास नहीं कर सकते: रंग चुनना ही होगा।",
    ),
}

_BATAK: Final = {
    "no_bidding_now": Texts("The auction is over.", "नीलामी खत्म हो चुकी है।"),
    "bad_bid": Texts("A bid is 5 to 13 tricks.", "बोली 5 से 13 चालों की होती है।"),
    "bid_not_higher": Texts(
        "Bid more than the last bid, or pass.",
        "पिछली बोली से ज़्यादा बोलिए, या पास कीजिए।",
    ),
    "trump_not_broken": Texts(
        "Trump may not be led until a trump has been played.",
        "जब तक कोई तुरुप खेला न जाए, तुरुप से चाल शुरू नहीं की जा सकती।",
    ),
    "must_beat": Texts(
        "Beat the highest card of the suit: you can.",
        "रंग के सबसे बड़े पत्ते से बड़ा पत्ता खेलना ज़रूरी है: वह आपके पास है।",
    ),
    "must_trump": Texts(
        "You do not have the suit: play a trump.",
        "आपके पास वह रंग नहीं है: तुरुप खेलना ज़रूरी है।",
    ),
    "must_overtrump": Texts(
        "Beat every trump of the trick: you can.",
        "चाल के हर तुरुप से बड़ा तुरुप खेलना ज़रूरी है: वह आपके पास है।",
    ),
}

_SEVENS: Final = {
    "must_open": Texts(
        "The hand opens with its seven: lay that first.",
        "बाज़ी सत्ते से शुरू होती है: पहले वही सत्ता रखिए।",
    ),
    "does_not_fit": Texts(
        "This card does not fit: it is next to no line's end.",
        "यह पत्ता नहीं लगता: यह किसी लाइन के सिरे के पास का नहीं है।",
    ),
    "must_play": Texts(
        "You may pass only if no card fits.",
        "पास सिर्फ़ तब, जब आपका कोई भी पत्ता नहीं लग सकता।",
    ),
}

_SEEP: Final = {
    "must_bid": Texts("Bid first.", "पहले बोली लगाइए।"),
    "already_bid": Texts("The bid is made.", "बोली लग चुकी है।"),
    "bid_not_held": Texts(
        "Bid the value, 9 to 13, of one of your four cards.",
        "बोली अपने चार पत्तों में से किसी के मान की, 9 से 13 तक, होती है।",
    ),
    "bid_first": Texts(
        "Your first play must build or take the value that you bid.",
        "पहली चाल में बोली के मान का घर बनाना या उठाना ज़रूरी है।",
    ),
    "must_take": Texts(
        "This card takes something, so it cannot be thrown.",
        "यह पत्ता उठा सकता है, इसलिए फेंका नहीं जा सकता।",
    ),
    "nothing_to_take": Texts(
        "This card takes nothing on the floor.",
        "इस पत्ते से ज़मीन पर कुछ नहीं उठता।",
    ),
    "leaves_something": Texts(
        "Take all that the card takes, not a part of it.",
        "उठाना पूरा होता है, आधा नहीं चुना जा सकता।",
    ),
    "not_on_floor": Texts(
        "A card that you name is not on the floor.",
        "चुना हुआ पत्ता ज़मीन पर नहीं है।",
    ),
    "in_a_house": Texts(
        "The cards of a house go with nothing but their house.",
        "घर के पत्ते किसी और जोड़ में नहीं लगते।",
    ),
    "not_a_sum": Texts(
        "These cards do not add up to the value, set by set.",
        "इन पत्तों का जोड़ उस मान के बराबर नहीं बैठता।",
    ),
    "which_cards": Texts(
        "There is more than one choice: name the cards.",
        "एक से ज़्यादा जोड़ बनते हैं: पत्ते चुनिए।",
    ),
    "house_value": Texts("A house is worth 9 to 13.", "घर का मान 9 से 13 तक होता है।"),
    "house_not_held": Texts(
        "Another card of the house's value must stay in your hand.",
        "घर के मान का एक और पत्ता हाथ में रहना ज़रूरी है।",
    ),
    "house_kept": Texts(
        "Your last card of this value is kept for your house.",
        "इस मान का आख़िरी पत्ता आपके घर के लिए है, कहीं और नहीं चल सकता।",
    ),
    "no_such_house": Texts("No house of this value is there.", "इस मान का कोई घर नहीं है।"),
    "house_pakka": Texts(
        "A pakka house is never raised, only taken.",
        "पक्का घर बढ़ाया नहीं जाता, सिर्फ़ उठाया जाता है।",
    ),
    "own_house": Texts("You cannot raise your own house.", "अपना घर आप नहीं बढ़ा सकते।"),
    "partners_house": Texts(
        "Only an opponent raises a house, not the partner.",
        "घर सिर्फ़ विरोधी बढ़ा सकता है, साथी नहीं।",
    ),
}

GAMES: Final[Mapping[str, Texts]] = {
    **_HANDS,
    **_RUMMY,
    **_TRICKS,
    **_COURT_PIECE,
    **_BATAK,
    **_SEVENS,
    **_SEEP,
}
