import { base64url } from "jose";

/** SHA-256 of a text in UTF-8, in base64url. */
export type Sha256 = (text: string) => string | Promise<string>;

const utf8 = new TextEncoder();

/** {@link Sha256} by Web Crypto, for every runtime. Where Node's own is at hand, it is faster. */
export async function sha256(text: string): Promise<string> {
  return base64url.encode(new Uint8Array(await crypto.subtle.digest("SHA-256", utf8.encode(text))));
}
