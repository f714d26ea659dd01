// @ts-check
/** What a hand is called at a table: in Hindi a free game's is बाज़ी, and हाथ its tricks. */
import { t } from "../words.js";

/**
 * @typedef {object} HandWords
 * @property {(hand: number) => string} number which hand is played
 * @property {() => string} begins seeds are gathered
 * @property {() => string} next
 * @property {() => string} voided
 * @property {() => string} voidedWhy
 * @property {() => string} none that this player has finished at this table
 * @property {() => string} column the head of the sheet's first column
 * @property {(hand: number) => string} show how it ended
 * @property {() => string} sheetIs what the score sheet holds
 */

/** @type {HandWords} */
export const HOUSE_WORDS = {
  number: (hand) => t("hand_number", { hand }),
  begins: () => t("phase_commit"),
  next: () => t("next_hand_soon"),
  voided: () => t("hand_void"),
  voidedWhy: () => t("hand_void_why"),
  none: () => t("no_hand_here"),
  column: () => t("hand"),
  show: (hand) => t("show_hand", { hand }),
  sheetIs: () => t("score_sheet_is"),
};
