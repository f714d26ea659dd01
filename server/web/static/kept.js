// @ts-check
/** What a browser keeps for a page, read and written so that no mishap of its storage stops the page. */

/** @typedef {Pick<Storage, "getItem" | "setItem" | "removeItem">} Kept */

/**
 * A storage that throws at nobody: of this page alone where the browser has none. What finds no
 * room is not written; who must not lose it reads it again.
 * @param {() => Storage} which @returns {Kept}
 */
export function keptBy(which) {
  const store = storeOf(which);
  return {
    getItem: (place) => store.getItem(place),
    setItem: (place, text) => {
      try {
        store.setItem(place, text);
      } catch {
        // it is full
      }
    },
    removeItem: (place) => store.removeItem(place),
  };
}

/** The object that is kept at a place; an empty one where there is none, or nonsense. @param {Pick<Storage, "getItem">} store @param {string} place @returns {Record<string, any>} */
export function objectAt(store, place) {
  try {
    const found = JSON.parse(store.getItem(place) ?? "null");
    return typeof found === "object" && found !== null && !Array.isArray(found) ? found : {};
  } catch {
    return {};
  }
}

/** @param {() => Storage} which @returns {Kept} */
function storeOf(which) {
  try {
    const found = which();
    found.getItem("pakka.lang");
    return found;
  } catch {
    /** @type {Map<string, string>} */
    const kept = new Map();
    return {
      getItem: (place) => kept.get(place) ?? null,
      setItem: (place, text) => void kept.set(place, text),
      removeItem: (place) => void kept.delete(place),
    };
  }
}
