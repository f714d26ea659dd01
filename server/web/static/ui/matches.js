// @ts-check
/** My matches of several hands, and the standings of a game: who has won how often. */
import { moment, number } from "../format.js";
import { g } from "../play/free_words.js";
import { FREE_GAMES } from "../play/games.js";
import { html, useState } from "../vendor/preact.js";
import { t, tn } from "../words.js";
import { Played, usePages } from "./lists.js";

/** @typedef {{seat: number, name: string, points: number, won: boolean, substituted: boolean}} MatchSeat */

export function Matches() {
  const { rows, more, failure } = usePages("/me/matches", "matches");
  return html`
    <section class="list" aria-labelledby="matches">
      <${Played} place="matches" />
      <h1 id="matches">${t("my_matches")}</h1>
      <p class="small">${g("matches_are")}</p>
      ${failure && html`<p class="failure" role="alert">${failure}</p>`}
      ${rows === null ? !failure && html`<p role="status">${t("loading")}</p>` : rows.length === 0 ? html`<p>${g("no_matches")}</p>` : html`
        <div class="wide" role="region" aria-labelledby="matches" tabindex="0"><table>
          <thead><tr><th scope="col">${t("ended")}</th><th scope="col">${g("match")}</th>
            <th scope="col">${g("result")}</th><th scope="col">${g("points_head")}</th></tr></thead>
          <tbody>${rows.map((row) => html`<tr key=${row.match}>
            <td>${moment(row.ended_at)}</td><td class="where"><strong>${tn("game", row.game)}</strong> ${number(row.number)}<span class="small">${row.table_name}</span>
              <span class="small">${g("hands_from_to", { first: number(row.first_hand), last: number(row.last_hand) })}</span></td>
            <td>${outcome(row)}</td><td><${Points} seats=${row.seats} own=${row.seat} /></td>
          </tr>`)}</tbody></table></div>`}
      ${more && html`<button type="button" class="quiet" onClick=${more}>${t("more")}</button>`}
    </section>`;
}

/** How a match ended for the reader. @param {{seats: MatchSeat[], seat: number, shared: boolean}} row */
function outcome({ seats, seat, shared }) {
  const own = seats.find((one) => one.seat === seat);
  const word = !own?.won ? g("own_match_lost") : shared ? g("own_match_shared") : g("own_match_won");
  return html`<strong class=${own?.won ? "plus" : ""}>${word}</strong>${own?.substituted && html`<span class="small">${g("ended_by_bot")}</span>`}`;
}

/** The points of each seat, winners marked. @param {{seats: MatchSeat[], own: number}} of */
const Points = ({ seats, own }) => html`<ul class="points-of">${seats.map((one) => html`
  <li key=${one.seat} class=${one.seat === own ? "own" : ""}><bdi>${one.name}</bdi> <b class="num">${number(one.points)}</b>${
    one.won && html` <span title=${g("own_match_won")} role="img" aria-label=${g("own_match_won")}>★</span>`}</li>`)}</ul>`;

export function Standings() {
  const [game, setGame] = useState(String(FREE_GAMES[0]));
  const { rows, more, failure } = usePages(`/games/${game}/standings`, "standings");
  return html`
    <section class="list" aria-labelledby="standings">
      <${Played} place="standings" />
      <h1 id="standings">${t("standings")}</h1>
      <div class="tabs games" role="group" aria-label=${t("game")}>${FREE_GAMES.map((one) => html`
        <button type="button" key=${one} aria-pressed=${one === game} onClick=${() => setGame(one)}>${tn("game", one)}</button>`)}</div>
      ${failure && html`<p class="failure" role="alert">${failure}</p>`}
      ${rows === null ? !failure && html`<p role="status">${t("loading")}</p>` : rows.length === 0 ? html`<p>${g("no_standings")}</p>` : html`
        <div class="wide" role="region" aria-labelledby="standings" tabindex="0"><table>
          <thead><tr><th scope="col" class="num">#</th><th scope="col">${g("player")}</th><th scope="col" class="num">${g("wins")}</th>
            <th scope="col" class="num">${g("shared_wins")}</th><th scope="col" class="num">${g("matches_finished")}</th></tr></thead>
          <tbody>${rows.map((row) => html`<tr key=${row.place}>
            <td class="num">${number(row.place)}</td><td><bdi>${row.name}</bdi></td><td class="num"><strong>${number(row.wins)}</strong></td>
            <td class="num">${number(row.shared)}</td>
            <td class="num">${g("of_matches", { finished: number(row.finished), matches: number(row.matches) })}</td>
          </tr>`)}</tbody></table></div>`}
      ${more && html`<button type="button" class="quiet" onClick=${more}>${t("more")}</button>`}
    </section>`;
}
