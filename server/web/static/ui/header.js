// @ts-check
/** The head of every page but the table: the name, tokens, language, and where one can go. */
import { noteSignedIn, whoAmI, write } from "../api.js";
import { ht } from "../format.js";
import { go, lang, me, route, setUp, settings, speak } from "../state.js";
import { html, useEffect, useState } from "../vendor/preact.js";
import { t } from "../words.js";
import { Dialog } from "./dialog.js";

export function Header() {
  const [isOpen, setOpen] = useState(false);
  const who = me.value;
  const [place] = route.value;
  useEffect(() => void whoAmI(), [place]); // who one is; tokens change at a table
  return html`
    <header class="top">
      <a class="brand" href="#/"><svg viewBox="0 0 64 64" aria-hidden="true"><path d="M32 4c11 8 18 9 26 9 0 25-8 40-26 49C14 53 6 38 6 13c8 0 15-1 26-9z" /></svg>
        <span>Pakka</span> <span lang="hi">पक्का</span></a>
      <${Language} />
      ${who && html`
        <nav aria-label=${t("pages")}>
          <a href="#/" aria-current=${place === "" ? "page" : undefined}>${t("tables")}</a>
          <a href="#/hands" aria-current=${["hands", "matches", "standings"].includes(place ?? "") ? "page" : undefined}>${t("my_hands")}</a>
          <a href="#/statement" aria-current=${place === "statement" ? "page" : undefined}>${t("statement")}</a>
          <a href="/verify">${t("verify")}</a>
        </nav>
        <div class="purse">
          <button type="button" class="plain who" aria-haspopup="dialog" onClick=${() => setOpen(true)}>
            <span class="name">${who.player.name}</span>
            <strong>${ht(who.balance.available.micro)} HT</strong>
          </button>
        </div>`}
      ${isOpen && html`<${Menu} onClose=${() => setOpen(false)} />`}
    </header>`;
}

export function Language() {
  const other = lang.value === "en" ? "hi" : "en";
  return html`<button type="button" class="plain language" lang=${other}
    onClick=${() => speak(other)}>${other === "hi" ? "हिन्दी" : "English"}</button>`;
}

/** @param {{onClose: () => void}} of */
function Menu({ onClose }) {
  const who = me.value;
  if (!who) return null;
  const leave = async () => {
    await write("DELETE", "/sessions").catch(() => {});
    noteSignedIn(false);
    me.value = null;
    go("");
    onClose();
  };
  return html`
    <${Dialog} title=${who.player.name} onClose=${onClose}>
      <dl class="figures">
        <div><dt>${t("available")}</dt><dd>${ht(who.balance.available.micro)} HT</dd></div>
        <div><dt>${t("held")}</dt><dd>${ht(who.balance.held.micro)} HT</dd></div>
      </dl>
      <p class="small">${t("not_money")}</p>
      <${Settings} />
      ${who.player.guest && html`<p><a href="#/account" onClick=${onClose}>${t("keep_account")}</a></p>`}
      <div class="buttons"><button type="button" class="quiet" onClick=${leave}>${t("sign_out")}</button></div>
    <//>`;
}

export function Settings() {
  const now = settings.value;
  return html`
    <fieldset class="settings"><legend>${t("settings")}</legend>
      <${Switch} label=${t("four_colours")} on=${now.fourColours} set=${(/** @type {boolean} */ on) => setUp({ fourColours: on })} />
      <${Switch} label=${t("sounds")} on=${now.sounds} set=${(/** @type {boolean} */ on) => setUp({ sounds: on })} />
      <${Switch} label=${t("motion")} on=${now.motion} set=${(/** @type {boolean} */ on) => setUp({ motion: on })} />
    </fieldset>`;
}

/** @param {{label: string, on: boolean, set: (on: boolean) => void}} of */
function Switch({ label, on, set }) {
  return html`<label class="switch"><input type="checkbox" checked=${on}
    onChange=${(/** @type {any} */ event) => set(event.currentTarget.checked)} /><span>${label}</span></label>`;
}
