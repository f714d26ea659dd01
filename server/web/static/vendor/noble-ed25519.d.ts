/** What of the vendored file is used. */
export interface ExtendedPoint {
  add(other: ExtendedPoint): ExtendedPoint;
  negate(): ExtendedPoint;
  multiply(scalar: bigint, isSafe?: boolean): ExtendedPoint;
  isSmallOrder(): boolean;
  toBytes(): Uint8Array;
}
export const Point: {
  BASE: ExtendedPoint;
  ZERO: ExtendedPoint;
  fromBytes(bytes: Uint8Array, isZip215?: boolean): ExtendedPoint;
  CURVE(): { n: bigint };
};
export const hashes: { sha512: ((message: Uint8Array) => Uint8Array) | undefined };
export function getPublicKey(secret: Uint8Array): Uint8Array;
export function sign(message: Uint8Array, secret: Uint8Array): Uint8Array;
export function verify(
  signature: Uint8Array, message: Uint8Array, pub: Uint8Array, options?: { zip215?: boolean },
): boolean;
