// @ts-check
/** The operator's console: what is shown for which address. */
import { notice, lang, route } from "../state.js";
import { Language } from "../ui/header.js";
import { effect, html, render, useEffect, useState } from "../vendor/preact.js";
import { t } from "../words.js";
import { Audit, Complaints, Hands, Log } from "./hands.js";
import { Ledger } from "./ledger.js";
import { Commission, Trial } from "./figures.js";
import { PlayerPage, Players } from "./players.js";
import { Tables } from "./tables.js";
import { comeIn, operator, pending, signIn, signOut, wordsOf } from "./who.js";
import { o, on } from "./words.js";

const PLACES = ["tables", "ledger", "trial", "commission", "players", "hands", "complaints", "audit", "log"];

function Page() {
  const [place = ""] = route.value;
  const here = PLACES.includes(place) ? place : "tables";
  const who = operator.value;
  useEffect(() => {
    // on a phone the list of places is wider than the window
    document.querySelector(".top nav [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [here, who]);
  return html`
    <a class="skip" href="#main" onClick=${skip}>${t("skip")}</a>
    <header class="top">
      <a class="brand" href="#/tables"><span>Pakka</span> <span lang=${lang.value}>${o("operator")}</span></a>
      <${Language} />
      ${who && html`
        <nav aria-label=${t("pages")}>${PLACES.map((one) => html`
          <a href=${`#/${one}`} aria-current=${one === here ? "page" : undefined}>${on("place", one)}</a>`)}</nav>
        <span class="who-is"><span class="name">${who.name}</span> <span class="badge">${on("role", who.role)}</span></span>
        <button type="button" class="plain" onClick=${signOut}>${t("sign_out")}</button>`}
    </header>
    <main id="main" tabindex="-1" class="in-lobby console">${content(here, route.value[1])}</main>
    <div class="notice" role="alert" aria-live="assertive">${notice.value && html`<p>${notice.value}</p>`}</div>`;
}

/** @param {string} place @param {string | undefined} id */
function content(place, id) {
  if (operator.value === undefined) return html`<p class="waiting" role="status">${t("loading")}</p>`;
  if (operator.value === null) return html`<${Entry} />`;
  switch (place) {
    case "ledger": return html`<${Ledger} key=${id ?? ""} first=${id ?? ""} />`;
    case "trial": return html`<${Trial} />`;
    case "commission": return html`<${Commission} />`;
    case "players": return id ? html`<${PlayerPage} key=${id} player=${id} />` : html`<${Players} />`;
    case "hands": return html`<${Hands} />`;
    case "complaints": return html`<${Complaints} />`;
    case "audit": return html`<${Audit} />`;
    case "log": return html`<${Log} />`;
    default: return html`<${Tables} />`;
  }
}

function Entry() {
  const [failure, setFailure] = useState("");
  /** @param {SubmitEvent} event */
  const come = async (event) => {
    event.preventDefault();
    const form = new FormData(/** @type {HTMLFormElement} */ (event.currentTarget));
    try {
      await signIn(pending.value ?? String(form.get("link")), form.get("code")?.toString());
    } catch (error) {
      setFailure(form.has("link") && pending.value !== null ? "" : await wordsOf(error));
    }
  };
  if (pending.value !== null) return html`
    <section class="panel narrow">
      <h1>${o("sign_in")}</h1>
      <p>${o("code_how")}</p>
      <form key="code" onSubmit=${come}>
        <label>${o("code")}<input name="code" required autofocus autocomplete="one-time-code" autocapitalize="none" spellcheck=${false} maxlength="40" /></label>
        ${failure && html`<p class="failure" role="alert">${failure}</p>`}
        <button class="main">${t("sign_in")}</button>
      </form>
    </section>`;
  return html`
    <section class="panel narrow">
      <h1>${o("sign_in")}</h1>
      <p>${o("sign_in_how")}</p>
      <p><code>pakka operator create NAME --role viewer</code></p>
      <form onSubmit=${come}>
        <label>${o("link")}<input name="link" required autocomplete="off" maxlength="400" /></label>
        ${failure && html`<p class="failure" role="alert">${failure}</p>`}
        <button class="main">${t("sign_in")}</button>
      </form>
    </section>`;
}

/** The address names the page, so an anchor may not change it. @param {Event} event */
function skip(event) {
  event.preventDefault();
  document.getElementById("main")?.focus();
}

effect(() => {
  document.documentElement.lang = lang.value;
});

const page = /** @type {HTMLElement} */ (document.getElementById("page"));
page.textContent = "";
render(html`<${Page} />`, page);
comeIn();
