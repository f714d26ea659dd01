// @ts-check
/** मुफ़्त खेलों के हिन्दी शब्द: जैसे उनके नियमों में आते हैं. */

/** @type {Record<import("../play/free_words.js").Key, string>} */
export const hi = {
  // सबके
  can_be_played: "चल सकता है",
  dealer: "बाँटने वाला",
  dealer_mark: "बाँट",
  played: "{name} ने {card} चला",
  passed: "{name} ने पास किया",
  left_seat: "{name} उठ गए; सीट आगे बॉट खेलेगा",
  is_back: "{name} लौट आए",
  clock_played: "{card} चला",
  clock_passed: "पास किया",
  pass: "पास",
  your_turn_play: "आपकी बारी: चमकता हुआ पत्ता चलें",
  rules_here: "यहाँ कोई टोकन नहीं लगता · हर बारी {seconds} सेकंड · {misses} बारियाँ छूटीं तो सीट आगे बॉट खेलेगा।",
  leave_ask: "खेल अभी चल रहा है। अभी उठे तो आपकी सीट आगे बॉट खेलेगा।",
  keys: "कुंजियाँ: तीर से पत्ता या बटन चुनें, Enter से चलें।",
  hand_of: "बाज़ी {number}/{hands}",
  total: "कुल अंक {points}",
  hand_won: "बाज़ी {name} की",
  match_won: "{name} ने खेल जीता",
  match_won_by: "खेल जीता: {names}",
  match_won_by_you: "आपने खेल जीता",

  // बदाम सत्ती, सेवन्स
  lines: "मेज़ की लाइनें",
  line: "{suit}: {low} से {high} तक",
  line_closed: "{suit}: अभी नहीं खुला",
  pool: "बीच में {chips} चिप्स",
  chips_n: "{chips} चिप्स",
  passes: "{count} बार पास",
  open_with: "आपकी बारी: {card} से शुरू करें",
  must_pass: "आपका कोई पत्ता नहीं लग सकता: पास करें",
};
