// @ts-check
/** The page's own words: English, then Hindi. */

/** @typedef {"en" | "hi"} Language */
/** @typedef {keyof typeof STRINGS} Key */

export const STRINGS = Object.freeze({
  title: ["Pakka: check a hand", "पक्का: हाथ की जाँच"],
  heading: ["Check a hand", "हाथ की जाँच"],
  switch_to: ["हिन्दी", "English"],
  switch_label: ["हिन्दी में दिखाइए", "Show in English"],
  intro: [
    "Was the deal fixed before anybody saw a card? This page takes a hand's record and works it all out again, " +
      "here on your device: seeds, shuffle, deal, every draw, every move, the result.",
    "क्या पत्ते बँटने से पहले ही डील तय हो चुकी थी? यह पन्ना हाथ का रिकॉर्ड लेकर सब कुछ यहीं आपके फ़ोन या कंप्यूटर पर " +
      "दोबारा निकालता है: सीड, फेंट, डील, हर उठाया पत्ता, हर चाल, नतीजा।",
  ],
  hand_number: ["Number of the hand, or its link", "हाथ का नंबर या लिंक"],
  check: ["Check", "जाँचिए"],
  choose_file: ["Choose a record file", "रिकॉर्ड की फ़ाइल चुनिए"],
  drop_here: ["You can also drop the file anywhere on this page.", "फ़ाइल को खींचकर इस पन्ने पर कहीं भी छोड़ सकते हैं।"],
  from_disk: [
    "This is the saved page: it asks no server. Choose a record file.",
    "यह सहेजा हुआ पन्ना है: किसी सर्वर से कुछ नहीं पूछता। रिकॉर्ड की फ़ाइल चुनिए।",
  ],
  keys: ["Keys that you know from before", "चाबियाँ जो आपको पहले से मालूम हैं"],
  keys_why: [
    "With the server's key that you noted at your first visit, check 1 is complete; with the log's key, check 10.",
    "पहली बार आते समय लिखी हुई सर्वर की चाबी से जाँच 1 पूरी होती है; लॉग की चाबी से जाँच 10।",
  ],
  server_key: ["The server's key (64 hex digits)", "सर्वर की चाबी (64 हेक्स अंक)"],
  log_key: ["The log's key (name+id+key)", "लॉग की चाबी (name+id+key)"],
  bad_server_key: ["The server's key must be 64 hex digits.", "सर्वर की चाबी 64 हेक्स अंकों की होनी चाहिए।"],
  bad_log_key: ["The log's key can't be read.", "लॉग की चाबी पढ़ी नहीं जा सकी।"],
  no_subtle: [
    "This address is plain http, so the browser keeps its own hashing (crypto.subtle) back. The page uses the " +
      "implementation that it carries (noble, MIT licence): slower, and with the same answers.",
    "यह पता सादा http है, इसलिए ब्राउज़र अपनी हैशिंग (crypto.subtle) नहीं देता। पन्ना अपने साथ लाया हुआ कोड (noble, MIT " +
      "लाइसेंस) चलाता है: थोड़ा धीमा, पर जवाब वही।",
  ],
  reading: ["Reading the record …", "रिकॉर्ड पढ़ा जा रहा है …"],
  checking: ["Checking: {done} of 19 …", "जाँच हो रही है: 19 में से {done} …"],
  all_hold: ["No check fails.", "कोई जाँच गलत नहीं निकली।"],
  all_hold_why: [
    "Nothing in this record contradicts the deal that was promised.",
    "इस रिकॉर्ड में ऐसा कुछ नहीं जो वादा की गई डील के ख़िलाफ़ हो।",
  ],
  some_fail: ["These checks fail: {numbers}.", "ये जाँचें गलत निकलीं: {numbers}।"],
  some_fail_why: [
    "The record was changed, or the deal was not as promised. Keep the file: it is your evidence.",
    "रिकॉर्ड बदला गया है, या डील वादे के मुताबिक नहीं थी। फ़ाइल सँभालकर रखिए: यही आपका सबूत है।",
  ],
  not_all_here: ["No check fails, and not all could be made here.", "कोई जाँच गलत नहीं, पर सब यहाँ नहीं हो सकीं।"],
  other_game: [
    "This page does not know the rules of “{game}”. Run the command for the rest: pakka verify",
    "“{game}” के नियम इस पन्ने को मालूम नहीं। बाकी के लिए यह कमांड चलाइए: pakka verify",
  ],
  refused: ["This is no record that can be checked.", "यह ऐसा रिकॉर्ड नहीं जिसे जाँचा जा सके।"],
  too_large: [
    "The file is larger than 2 MB: no record is. It was not read.",
    "फ़ाइल 2 MB से बड़ी है: कोई रिकॉर्ड इतना बड़ा नहीं होता। इसे पढ़ा नहीं गया।",
  ],
  unreadable: ["The file can't be read.", "फ़ाइल पढ़ी नहीं जा सकी।"],
  bad_number: ["A hand's number is a whole number from 1 on.", "हाथ का नंबर 1 या उससे बड़ा पूर्णांक होता है।"],
  no_such_hand: ["There is no such hand.", "ऐसा कोई हाथ नहीं है।"],
  hand_not_over: [
    "This hand is not over yet: its record comes with its end.",
    "यह हाथ अभी चल रहा है: रिकॉर्ड उसके ख़त्म होने पर मिलेगा।",
  ],
  hand_has_no_record: ["This hand was cancelled: nobody played it.", "यह हाथ रद्द हुआ था: किसी ने नहीं खेला।"],
  slow_down: ["Too many requests: wait a moment.", "बहुत सारे अनुरोध: ज़रा रुकिए।"],
  no_answer: ["The server did not give the record.", "सर्वर ने रिकॉर्ड नहीं दिया।"],
  fault: ["A mistake of this page: it could not finish.", "इस पन्ने की गलती: काम पूरा नहीं हो सका।"],
  checks: ["The checks", "जाँचें"],
  holds: ["holds", "सही"],
  fails: ["fails", "गलत"],
  "live-only": ["holds, as far as a record shows", "रिकॉर्ड जितना दिखाए, सही"],
  "not-here": ["not checked here", "यहाँ नहीं जाँचा"],
  notes: ["Good to know", "जानने लायक"],
  the_hand: ["The hand", "हाथ"],
  game: ["Game", "खेल"],
  rummy: ["Rummy", "रम्मी"],
  hand_of: ["{game}, hand {number} of its table, {seats} seats", "{game}, टेबल का हाथ {number}, {seats} सीटें"],
  its_key: ["The server's key in this record", "इस रिकॉर्ड में सर्वर की चाबी"],
  by_command: ["The same by the command", "यही जाँच कमांड से"],
  save_record: ["Save the record", "रिकॉर्ड सहेजिए"],
  save_page: ["Save this page for use without a network", "बिना नेटवर्क के लिए यह पन्ना सहेजिए"],
  step: ["Move", "चाल"],
  step_of: ["{at} of {count}", "{count} में से {at}"],
  back: ["Back", "पीछे"],
  on: ["On", "आगे"],
  no_moves: ["The hand can't be laid out: see check {number}.", "हाथ दिखाया नहीं जा सकता: जाँच {number} देखिए।"],
  stops_here: [
    "From here on the record and the rules part: see the checks that fail.",
    "यहाँ से आगे रिकॉर्ड और नियम मेल नहीं खाते: गलत निकली जाँचें देखिए।",
  ],
  turned: ["Turned", "खुला जोकर"],
  wild: ["wild: {rank}", "जोकर: {rank}"],
  only_printed: ["only printed jokers are wild", "सिर्फ़ छपे जोकर"],
  closed_pile: ["Closed pile: {count}", "बंद गड्डी: {count}"],
  open_pile: ["Open pile", "खुली गड्डी"],
  empty: ["empty", "ख़ाली"],
  seat: ["Seat {seat}", "सीट {seat}"],
  bot: ["bot", "बॉट"],
  to_move: ["to move", "बारी"],
  winner: ["winner", "विजेता"],
  cards_held: ["{count} cards", "{count} पत्ते"],
  drop: ["dropped", "ड्रॉप"],
  miss: ["put out by the clock", "घड़ी ने बाहर किया"],
  left: ["left the table", "टेबल छोड़ी"],
  wrong_declare: ["wrong declare", "गलत डिक्लेयर"],
  points: ["{points} points", "{points} अंक"],
  pure: ["pure sequence", "शुद्ध सीक्वेंस"],
  seq: ["sequence", "सीक्वेंस"],
  set: ["set", "सेट"],
  loose: ["loose", "बिना जोड़"],
  said_deal: ["The cards are dealt, {count} in all.", "पत्ते बँटे, कुल {count}।"],
  said_again: ["Reshuffle {epoch}: {count} cards.", "फेंट {epoch}: {count} पत्ते।"],
  said_closed: ["Seat {seat} draws {card} from the closed pile.", "सीट {seat} ने बंद गड्डी से उठाया: {card}।"],
  said_open: ["Seat {seat} takes {card} from the open pile.", "सीट {seat} ने खुली गड्डी से उठाया: {card}।"],
  said_discard: ["Seat {seat} discards {card}.", "सीट {seat} ने पत्ता फेंका: {card}।"],
  said_drop: ["Seat {seat} drops.", "सीट {seat} ने ड्रॉप किया।"],
  said_leave: ["Seat {seat} leaves the table.", "सीट {seat} ने टेबल छोड़ी।"],
  said_declare: ["Seat {seat} declares, with {card} face down.", "सीट {seat} ने {card} बंद रखकर डिक्लेयर किया।"],
  by_clock: ["By the clock: {said}", "घड़ी से: {said}"],
  joker: ["joker", "जोकर"],
  card_name: ["{rank} of {suit}", "{suit} का {rank}"],
  queen_name: ["{rank} of {suit}", "{suit} की {rank}"],
  S: ["spades", "हुकुम"],
  H: ["hearts", "पान"],
  D: ["diamonds", "ईंट"],
  C: ["clubs", "चिड़ी"],
  A: ["ace", "इक्का"],
  K: ["king", "बादशाह"],
  Q: ["queen", "बेगम"],
  J: ["jack", "ग़ुलाम"],
});

/** @param {Language} language @param {Key} key @param {Readonly<Record<string, string | number | bigint>>} [parts] */
export function told(language, key, parts = {}) {
  const text = /** @type {string} */ (STRINGS[key][language === "hi" ? 1 : 0]);
  return text.replace(/\{(\w+)\}/g, (whole, name) => String(parts[name] ?? whole));
}
