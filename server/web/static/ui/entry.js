// @ts-check
/** Coming in: as a guest, with an account, or with a new one. */
import { ApiError, noteSignedIn, textOf, whoAmI, write } from "../api.js";
import { go, me, route } from "../state.js";
import { html, useState } from "../vendor/preact.js";
import { t } from "../words.js";

/** @typedef {"guest" | "account" | "sign_in"} Way */

/** @type {Record<Way, string>} */
const PATHS = { guest: "/guests", account: "/accounts", sign_in: "/sessions" };

export function Entry() {
  const isGuest = me.value?.player.guest === true;
  const [way, setWay] = useState(/** @type {Way} */ (isGuest ? "account" : "guest"));
  /** @type {[Way, string][]} */
  const ways = [["guest", t("as_guest")], ["sign_in", t("sign_in")], ["account", t("sign_up")]];
  return html`
    <section class="entry">
      <div class="hero">
        <h1>${t("hero")}</h1>
        <p>${t("hero_more")}</p>
        <ul class="ticks"><li>${t("promise_cards")}</li><li>${t("promise_line")}</li><li>${t("promise_check")}</li></ul>
      </div>
      <div class="panel">
        ${!isGuest && html`<div class="tabs" role="group" aria-label=${t("ways_in")}>
          ${ways.map(([name, label]) => html`<button type="button" aria-pressed=${way === name}
            onClick=${() => setWay(name)}>${label}</button>`)}</div>`}
        ${isGuest && html`<h2>${t("keep_account")}</h2>`}
        <${Form} key=${way} way=${way} />
        <p class="small">${t("not_money")}</p>
      </div>
    </section>`;
}

/** @param {{way: Way}} of */
function Form({ way }) {
  const [failure, setFailure] = useState("");
  const [isBusy, setBusy] = useState(false);
  /** @param {SubmitEvent} event */
  const come = async (event) => {
    event.preventDefault();
    const form = new FormData(/** @type {HTMLFormElement} */ (event.currentTarget));
    const [name, password] = [String(form.get("name")).trim(), String(form.get("password") ?? "")];
    setBusy(true);
    setFailure("");
    try {
      await write("POST", PATHS[way], { name, session: "cookie", ...(way === "guest" ? {} : { password }) });
      noteSignedIn(true);
      await whoAmI();
      if (route.value[0] === "account") go("");
    } catch (error) {
      setFailure(await textOf(error instanceof ApiError ? error.code : "fault"));
      setBusy(false);
    }
  };
  const label = way === "guest" ? t("play_guest") : way === "sign_in" ? t("sign_in") : t("sign_up");
  return html`
    <form onSubmit=${come}>
      <label>${t("your_name")}
        <input name="name" required maxlength="64" autocomplete="username" value=${way === "account" ? me.value?.player.name ?? "" : ""} /></label>
      ${way !== "guest" && html`<label>${t("password")}
        <input name="password" type="password" required minlength=${way === "account" ? 8 : 1} maxlength="128"
          autocomplete=${way === "account" ? "new-password" : "current-password"} /></label>`}
      ${failure && html`<p class="failure" role="alert">${failure}</p>`}
      <button class="main" disabled=${isBusy}>${label}</button>
    </form>`;
}
