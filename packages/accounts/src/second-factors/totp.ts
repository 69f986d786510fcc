import { createHmac, timingSafeEqual } from "node:crypto";
import type { Deps } from "@gatehouse/auth";
import { toBase32 } from "./base32.ts";

/** What every authenticator app supports: SHA-1, six digits, 30 seconds. MF-03. */
const DIGITS = 6;
const PERIOD_SECONDS = 30;
/** 160 bits, the output of SHA-1. RFC 4226 §4. */
const SECRET_BYTES = 20;
/** Steps before and after the current one, for clocks that differ. RFC 6238 §5.2. */
const WINDOW = 1;

export const newTotpSecret = (random: Deps["random"]): Uint8Array => random(SECRET_BYTES);

/** The number of the 30-second step that contains `now`, in Unix seconds. */
export const totpStep = (now: number): number => Math.floor(now / PERIOD_SECONDS);

/** The last step whose code is accepted at `now`. */
export const latestTotpStep = (now: number): number => totpStep(now) + WINDOW;

/** The code of one step. RFC 6238 §4, RFC 4226 §5.3. */
export function totpCode(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const hmac = createHmac("sha1", secret).update(counter).digest();
  const offset = (hmac.at(-1) ?? 0) & 15;
  const number = hmac.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, "0");
}

/**
 * The step after `lastStep` and near `now` that has this code; undefined for none. The caller spends the step. MF-04.
 */
export function matchTotp(
  secret: Uint8Array,
  code: string,
  { now, lastStep }: { now: number; lastStep: number },
): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined;
  const current = totpStep(now);
  let matched: number | undefined;
  for (let step = current - WINDOW; step <= current + WINDOW; step++) {
    const equal = timingSafeEqual(Buffer.from(totpCode(secret, step)), Buffer.from(code));
    if (equal && step > lastStep) matched ??= step;
  }
  return matched;
}

/** The link that authenticator apps read from the QR code. `issuer` is the name of the product. */
export function totpLink(secret: Uint8Array, { issuer, account }: { issuer: string; account: string }): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  const query = {
    secret: toBase32(secret),
    issuer,
    algorithm: "SHA1",
    digits: String(DIGITS),
    period: String(PERIOD_SECONDS),
  };
  // Some apps show a plus sign as it is.
  return `otpauth://totp/${label}?${new URLSearchParams(query).toString().replaceAll("+", "%20")}`;
}
