// @ts-check
/** Merkle trees as RFC 6962 builds them; leaves are leaf hashes. */
import { concat, hash32, same, u16, u8 } from "./bytes.js";
import { enc } from "./encoding.js";
import { sha256 } from "./hashing.js";

/** @typedef {Uint8Array} Bytes */
/** @typedef {number | bigint} Whole an index or a size: a log may grow beyond 2 ** 53 */

/** @param {Bytes} entry */
export const leafHash = (entry) => sha256(concat([u8(0), entry]));

/** @param {Bytes} left @param {Bytes} right */
export const nodeHash = (left, right) => sha256(concat([u8(1), hash32(left), hash32(right)]));

/** @param {{hand: Bytes, epoch: number, position: number, number: number, salt: Bytes}} of */
export const cardLeaf = ({ hand, epoch, position, number, salt }) =>
  leafHash(enc("card", hash32(hand), u8(epoch), u16(position), u16(number), hash32(salt)));

/** All nodes, the leaves first; the last level is the root alone. @param {readonly Bytes[]} leaves */
export async function levelsOf(leaves) {
  if (!leaves.length) throw new RangeError("a tree of size 0 has no root");
  let level = leaves.map(hash32);
  const levels = [level];
  while (level.length > 1) {
    const above = [];
    for (let i = 0; i + 1 < level.length; i += 2) {
      above.push(nodeHash(/** @type {Bytes} */ (level[i]), /** @type {Bytes} */ (level[i + 1])));
    }
    const odd = level.length % 2 ? [/** @type {Bytes} */ (level[level.length - 1])] : [];
    level = [...(await Promise.all(above)), ...odd];
    levels.push(level);
  }
  return levels;
}

/** @param {readonly (readonly Bytes[])[]} levels @param {number} index @returns {Bytes[]} */
export function pathIn(levels, index) {
  const path = [];
  let at = index;
  for (const level of levels.slice(0, -1)) {
    const sibling = level[at ^ 1];
    if (sibling) path.push(sibling);
    at >>= 1;
  }
  return path;
}

/** How many hashes a proof must have, no more and no fewer. @param {Whole} index @param {Whole} size */
export function pathLength(index, size) {
  if (!(index >= 0 && index < size)) throw new RangeError(`leaf ${index} is not in a tree of size ${size}`);
  let [at, last, length] = [BigInt(index), BigInt(size) - 1n, 0];
  while (last) {
    length += (at ^ 1n) <= last ? 1 : 0;
    [at, last] = [at >> 1n, last >> 1n];
  }
  return length;
}

/** @param {Bytes} leaf @param {Whole} index @param {Whole} size @param {readonly Bytes[]} path */
export async function rootFromPath(leaf, index, size, path) {
  if (path.length !== pathLength(index, size)) {
    throw new RangeError(`a path of ${path.length} hashes does not fit leaf ${index} of ${size}`);
  }
  const rest = path.map(hash32);
  let [found, at, last] = [hash32(leaf), BigInt(index), BigInt(size) - 1n];
  while (last) {
    if (at & 1n) found = await nodeHash(/** @type {Bytes} */ (rest.shift()), found);
    else if (at < last) found = await nodeHash(found, /** @type {Bytes} */ (rest.shift()));
    [at, last] = [at >> 1n, last >> 1n];
  }
  return found;
}

/** @param {Bytes} leaf @param {Whole} index @param {Whole} size @param {readonly Bytes[]} path @param {Bytes} root */
export async function isIncluded(leaf, index, size, path, root) {
  try {
    return same(await rootFromPath(leaf, index, size, path), root);
  } catch {
    return false;
  }
}

/** How many nodes a consistency proof has. @param {number} old @param {number} size */
export function consistencyLength(old, size) {
  if (!(old > 0 && old <= size)) throw new RangeError(`a log of size ${size} has no proof from ${old}`);
  let [first, last, length] = [0, size, 0];
  while (old < last) {
    let half = 1;
    while (half * 2 < last - first) half *= 2;
    const middle = first + half;
    length += 1;
    if (old <= middle) last = middle;
    else first = middle;
  }
  return first === 0 ? length : length + 1;
}

/**
 * Tell whether the larger tree begins with the smaller one (RFC 9162 section 2.1.4.2).
 * @param {{old: number, oldRoot: Bytes, size: number, root: Bytes, proof: readonly Bytes[]}} of
 */
export async function isConsistent({ old, oldRoot, size, root, proof }) {
  if (!(old > 0 && old <= size) || proof.length !== consistencyLength(old, size)) return false;
  if ([oldRoot, root, ...proof].some((node) => node.length !== 32)) return false;
  if (old === size) return same(oldRoot, root);
  const rest = [...proof];
  let [at, last] = [old - 1, size - 1];
  const up = () => {
    [at, last] = [Math.floor(at / 2), Math.floor(last / 2)];
  };
  while (at % 2) up();
  let before = at === 0 ? oldRoot : /** @type {Bytes} */ (rest.shift());
  let after = before;
  for (const node of rest) {
    if (at % 2 || at === last) {
      before = await nodeHash(node, before);
      after = await nodeHash(node, after);
      while (at && at % 2 === 0) up();
    } else {
      after = await nodeHash(after, node);
    }
    up();
  }
  return last === 0 && same(before, oldRoot) && same(after, root);
}
