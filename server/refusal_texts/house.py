"""What the house refuses: frames, people, tables, deals, tokens."""

from collections.abc import Mapping
from typing import Final

from server.refusal_texts.texts import Texts

_FRAMES: Final = {
    "bad_frame": Texts(
        "This message cannot be read.",
        "यह संदेश पढ़ा नहीं जा सका।",
    ),
    "bad_body": Texts(
        "This request cannot be read.",
        "यह अनुरोध पढ़ा नहीं जा सका।",
    ),
    "bad_field": Texts(
        "A field has a value that is not allowed.",
        "किसी खाने में ऐसा मान है जो मान्य नहीं।",
    ),
    "missing_field": Texts("A field is missing.", "कोई खाना छूट गया है।"),
    "unknown_field": Texts("A field is not known here.", "कोई खाना अनजान है।"),
    "unknown_type": Texts("A message of this kind is not known.", "इस तरह का संदेश मालूम नहीं।"),
    "unknown_move": Texts("This game has no such move.", "इस खेल में ऐसी कोई चाल नहीं।"),
    "too_large": Texts("This request is too large.", "यह अनुरोध बहुत बड़ा है।"),
    "too_slow": Texts("This request took too long to arrive.", "अनुरोध आने में बहुत देर लगी।"),
    "slow_down": Texts("Too fast: wait a moment.", "बहुत जल्दी-जल्दी: ज़रा रुकिए।"),
    "table_moved": Texts(
        "The table is moving to another server: try again.",
        "टेबल दूसरे सर्वर पर जा रही है: फिर कोशिश कीजिए।",
    ),
    "busy": Texts("Busy just now: try again.", "अभी भीड़ है: फिर कोशिश कीजिए।"),
    "fault": Texts(
        "A mistake of ours; it was written down.",
        "गलती हमारी है; उसे दर्ज कर लिया गया है।",
    ),
    "server_fault": Texts(
        "The table could not do that; nobody pays for our mistake.",
        "टेबल यह नहीं कर पाई; हमारी गलती का दाम कोई नहीं भरेगा।",
    ),
    "unavailable": Texts(
        "It is not known whether that was done: send it again.",
        "पता नहीं कि यह हुआ या नहीं: फिर से भेजिए।",
    ),
    "method_not_allowed": Texts(
        "This address does not take such a request.",
        "इस पते पर ऐसा अनुरोध नहीं चलता।",
    ),
    "no_such_route": Texts("There is nothing at this address.", "इस पते पर कुछ नहीं है।"),
    "bad_key": Texts("This key cannot be used.", "यह कुंजी काम की नहीं है।"),
    "key_reused": Texts(
        "This key was used for another request.",
        "यह कुंजी किसी और अनुरोध में लग चुकी है।",
    ),
    "id_reused": Texts(
        "This id was used for another command.",
        "यह आईडी किसी और आदेश में लग चुकी है।",
    ),
}

_PEOPLE: Final = {
    "not_signed_in": Texts("Sign in first.", "पहले साइन इन कीजिए।"),
    "already_signed_in": Texts("You are signed in already.", "आप पहले से साइन इन हैं।"),
    "bad_credentials": Texts(
        "Name and password do not belong together.",
        "नाम और पासवर्ड आपस में मेल नहीं खाते।",
    ),
    "bad_link": Texts(
        "The sign-in link is unknown, used or over.",
        "साइन इन का लिंक अनजान है, लग चुका है या पुराना हो गया है।",
    ),
    "bad_code": Texts(
        "The code is wrong, over or used: wait for the next one.",
        "कोड गलत है, पुराना है या लग चुका है: अगले कोड का इंतज़ार कीजिए।",
    ),
    "code_needed": Texts(
        "Give the code of your authenticator app, too.",
        "अपने ऑथेंटिकेटर ऐप का कोड भी दीजिए।",
    ),
    "two_step_needed": Texts(
        "This house lets nobody operate it without a second step: have it set up first.",
        "यहाँ बिना दूसरे चरण के कोई संचालक साइन इन नहीं कर सकता: पहले उसे चालू करवाइए।",
    ),
    "unknown_operator": Texts(
        "There is no operator of that name.",
        "इस नाम का कोई संचालक नहीं है।",
    ),
    "bad_name": Texts("This name is not allowed.", "यह नाम नहीं चलेगा।"),
    "bad_password": Texts(
        "A password has 8 to 128 characters.",
        "पासवर्ड 8 से 128 अक्षरों का होता है।",
    ),
    "bad_reason": Texts("A reason is needed.", "कारण बताना ज़रूरी है।"),
    "name_taken": Texts("This name is taken.", "यह नाम किसी और का है।"),
    "not_a_guest": Texts("You have an account already.", "आपका खाता पहले से है।"),
    "suspended": Texts("The account is suspended.", "खाता रोक दिया गया है।"),
    "disabled": Texts("This operator is disabled.", "यह ऑपरेटर बंद है।"),
    "not_allowed": Texts("You may not do this.", "आपको इसकी इजाज़त नहीं है।"),
    "bad_origin": Texts(
        "The request comes from a foreign page.",
        "अनुरोध किसी दूसरी वेबसाइट से आया है।",
    ),
    "unknown_player": Texts("There is no such player.", "ऐसा कोई खिलाड़ी नहीं है।"),
    "unknown_session": Texts("There is no such sign-in.", "ऐसा कोई साइन इन नहीं है।"),
}

_TABLES: Final = {
    "no_such_table": Texts("There is no such table.", "ऐसी कोई टेबल नहीं है।"),
    "no_such_hand": Texts("There is no such hand.", "ऐसा कोई हाथ नहीं है।"),
    "no_such_game": Texts("There is no such game.", "ऐसा कोई खेल नहीं है।"),
    "no_such_seat": Texts("The table has no such seat.", "टेबल पर ऐसी कोई सीट नहीं है।"),
    "hand_has_no_record": Texts(
        "The hand was cancelled and has no record.",
        "हाथ रद्द हुआ था, उसका कोई रिकॉर्ड नहीं है।",
    ),
    "no_hand": Texts("No such hand is in play.", "ऐसा कोई हाथ अभी नहीं चल रहा।"),
    "no_such_entry": Texts(
        "The public log has no such entry.",
        "सार्वजनिक लॉग में ऐसी कोई प्रविष्टि नहीं है।",
    ),
    "no_such_checkpoint": Texts(
        "The public log is still empty.",
        "सार्वजनिक लॉग अभी खाली है।",
    ),
    "hand_not_over": Texts(
        "The record is there when the hand is over.",
        "हाथ खत्म होने पर ही उसका रिकॉर्ड मिलेगा।",
    ),
    "complain_later": Texts(
        "A hand can be reported once it is over.",
        "हाथ खत्म होने पर ही उसकी शिकायत की जा सकती है।",
    ),
    "complained_already": Texts(
        "You have reported this hand already.",
        "आप इस हाथ की शिकायत पहले ही कर चुके हैं।",
    ),
    "bad_text": Texts(
        "Say it in 1 to 1000 characters.",
        "1 से 1000 अक्षरों में लिखिए।",
    ),
    "no_such_complaint": Texts("There is no such complaint.", "ऐसी कोई शिकायत नहीं है।"),
    "answered_already": Texts(
        "This complaint has its answer.",
        "इस शिकायत का जवाब दिया जा चुका है।",
    ),
    "bad_option": Texts(
        "The table cannot have this option.",
        "टेबल पर यह विकल्प नहीं चल सकता।",
    ),
    "too_many_tables": Texts(
        "You are watching too many tables.",
        "आप बहुत ज़्यादा टेबल देख रहे हैं।",
    ),
    "table_closing": Texts("The table is closing.", "टेबल बंद हो रही है।"),
    "table_closed": Texts("The table is closed.", "टेबल बंद हो चुकी है।"),
    "table_full": Texts("Every seat is taken.", "सारी सीटें भर चुकी हैं।"),
    "seat_taken": Texts("This seat is taken.", "यह सीट भर चुकी है।"),
    "not_seated": Texts("You have no seat at this table.", "इस टेबल पर आपकी सीट नहीं है।"),
    "already_seated": Texts("You sit at this table already.", "आप इस टेबल पर बैठे हुए हैं।"),
    "match_running": Texts(
        "A match is being played here: its seats are kept for their players.",
        "यहाँ मुकाबला चल रहा है: सीटें अपने खिलाड़ियों के लिए रखी हैं।",
    ),
    "substituted": Texts(
        "A bot plays your seat just now: take it back first.",
        "अभी आपकी जगह बॉट खेल रहा है: पहले अपनी सीट वापस लीजिए।",
    ),
    "returned_too_often": Texts(
        "You have taken your seat back too often in this hand: come back after it.",
        "इस बाज़ी में आप अपनी सीट बहुत बार वापस ले चुके हैं: बाज़ी के बाद आइए।",
    ),
    "one_seat_only": Texts(
        "This sign-in plays one seat, and does nothing else.",
        "यह साइन-इन एक ही सीट खेलता है, और कुछ नहीं करता।",
    ),
    "already_leaving": Texts(
        "Your seat is freed when the hand is over.",
        "हाथ खत्म होते ही आपकी सीट खाली हो जाएगी।",
    ),
    "already_out": Texts("You are sitting out already.", "आप पहले से बाहर बैठे हैं।"),
    "not_out": Texts("You are not sitting out.", "आप बाहर नहीं बैठे हैं।"),
    "no_bots": Texts(
        "Bots sit at practice tables only.",
        "बॉट सिर्फ़ अभ्यास टेबल पर बैठते हैं।",
    ),
    "not_covered": Texts(
        "Your tokens do not cover the dearest hand.",
        "आपके टोकन सबसे महँगे हाथ के लिए काफ़ी नहीं हैं।",
    ),
}

_DEALS: Final = {
    "not_called": Texts("Nobody is asked for this now.", "अभी यह किसी से माँगा नहीं गया है।"),
    "not_invited": Texts(
        "Your seat is not in this deal.",
        "इस डील में आपकी सीट शामिल नहीं है।",
    ),
    "already_committed": Texts(
        "Your seed is committed already.",
        "आपकी सीड पहले ही बंद की जा चुकी है।",
    ),
    "bad_commit": Texts("This is no commitment.", "यह सीड की मुहर नहीं है।"),
    "not_committed": Texts("You have committed no seed.", "आपने कोई सीड नहीं डाली है।"),
    "already_revealed": Texts(
        "Your seed is revealed already.",
        "आपकी सीड पहले ही खोली जा चुकी है।",
    ),
    "reveal_mismatch": Texts(
        "This is not the seed that you committed to.",
        "यह वह सीड नहीं है जो आपने डाली थी।",
    ),
    "bad_signature": Texts("The signature does not hold.", "दस्तख़त सही नहीं है।"),
}

_TOKENS: Final = {
    "bad_amount": Texts("This is no amount of HT.", "यह HT की कोई रकम नहीं है।"),
    "unknown_account": Texts(
        "The player has no account.",
        "इस खिलाड़ी का कोई टोकन खाता नहीं है।",
    ),
    "account_frozen": Texts("The tokens are frozen.", "टोकन रोक दिए गए हैं।"),
    "unknown_entry": Texts("There is no such entry.", "ऐसी कोई प्रविष्टि नहीं है।"),
    "not_sealed": Texts(
        "The entry is not sealed yet: ask again in a few seconds.",
        "प्रविष्टि पर अभी मुहर नहीं लगी: कुछ पल बाद फिर पूछिए।",
    ),
    "not_reversible": Texts(
        "This entry cannot be reversed.",
        "यह प्रविष्टि पलटी नहीं जा सकती।",
    ),
    "unknown_hand": Texts(
        "No tokens were held for this hand.",
        "इस हाथ के लिए टोकन रोके नहीं गए थे।",
    ),
    "hand_voided": Texts(
        "The hand was voided: nobody pays.",
        "हाथ रद्द हो चुका है: किसी को कुछ नहीं देना।",
    ),
    "hand_held_otherwise": Texts(
        "Other tokens were held for this hand.",
        "इस हाथ के लिए दूसरे टोकन रोके गए थे।",
    ),
    "hand_settled_otherwise": Texts(
        "The hand was settled with another result.",
        "हाथ का हिसाब किसी और नतीजे से हो चुका है।",
    ),
    "hold_mismatch": Texts(
        "The result does not fit the tokens held.",
        "नतीजा रोके गए टोकन से मेल नहीं खाता।",
    ),
}

HOUSE: Final[Mapping[str, Texts]] = {
    **_FRAMES,
    **_PEOPLE,
    **_TABLES,
    **_DEALS,
    **_TOKENS,
}
