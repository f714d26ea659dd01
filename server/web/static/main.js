// @ts-check
/** The page: what is shown for which address. */
import { lang, me, notice, route, settings } from "./state.js";
import { Entry } from "./ui/entry.js";
import { Header } from "./ui/header.js";
import { Hands, Statement } from "./ui/lists.js";
import { Lobby } from "./ui/lobby.js";
import { Matches, Standings } from "./ui/matches.js";
import { TablePage } from "./play/page.js";
import { effect, html, render } from "./vendor/preact.js";
import { t } from "./words.js";

function Page() {
  const [place, id] = route.value;
  const isTable = place === "table" && id !== undefined && me.value;
  return html`
    <a class="skip" href="#main" onClick=${skip}>${t("skip")}</a>
    ${!isTable && html`<${Header} />`}
    <main id="main" tabindex="-1" class=${isTable ? "at-table" : "in-lobby"}>${content(place, id)}</main>
    <div class="notice" role="alert" aria-live="assertive">${notice.value && html`<p>${notice.value}</p>`}</div>`;
}

/** @param {string | undefined} place @param {string | undefined} id */
function content(place, id) {
  if (me.value === undefined) return html`<p class="waiting" role="status">${t("loading")}</p>`;
  if (me.value === null) return html`<${Entry} />`;
  if (place === "table" && id) return html`<${TablePage} key=${id} table=${id} />`;
  if (place === "hands") return html`<${Hands} />`;
  if (place === "matches") return html`<${Matches} />`;
  if (place === "standings") return html`<${Standings} />`;
  if (place === "statement") return html`<${Statement} />`;
  if (place === "account") return html`<${Entry} />`;
  return html`<${Lobby} />`;
}

/** The address names the page, so an anchor may not change it. @param {Event} event */
function skip(event) {
  event.preventDefault();
  document.getElementById("main")?.focus();
}

effect(() => {
  const root = document.documentElement;
  root.lang = lang.value;
  root.classList.toggle("four-colours", settings.value.fourColours);
  root.classList.toggle("still", !settings.value.motion);
});

const page = /** @type {HTMLElement} */ (document.getElementById("page"));
page.textContent = "";
render(html`<${Page} />`, page);
