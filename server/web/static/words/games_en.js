// @ts-check
/** The English words of the free games. */

export const en = {
  // all of them
  can_be_played: "can be played",
  dealer: "dealer",
  dealer_mark: "D",
  played: "{name} played {card}",
  passed: "{name} passed",
  left_seat: "{name} left; a bot plays the seat on",
  is_back: "{name} is back",
  clock_played: "played {card}",
  clock_passed: "passed",
  pass: "Pass",
  your_turn_play: "Your turn: play a card that shines",
  rules_here: "No tokens move here · {seconds} s a turn · after {misses} missed turns a bot plays the seat on.",
  leave_ask: "You are in a match. If you leave now, a bot plays your seat on.",
  keys: "Keys: arrows choose a card or a button, Enter plays it.",
  hand_of: "Hand {number} of {hands}",
  total: "Total {points}",
  hand_won: "{name} won the hand",
  match_won: "{name} has won the match",
  match_won_by: "The match is won by {names}",
  match_won_by_you: "You have won the match",

  // Badam Satti, Sevens
  lines: "The lines on the table",
  line: "{suit}: {low} to {high}",
  line_closed: "{suit}: not open yet",
  pool: "{chips} chips in the middle",
  chips_n: "{chips} chips",
  passes: "{count} passes",
  open_with: "Your turn: begin with the {card}",
  must_pass: "Nothing of yours fits: pass",
};
