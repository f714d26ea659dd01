/** What of the vendored file is used. */
export function sha256(message: Uint8Array): Uint8Array;
export function sha512(message: Uint8Array): Uint8Array;
export function hmac(hash: typeof sha256, key: Uint8Array, message: Uint8Array): Uint8Array;
