import type { FetchBytes } from "@gatehouse/auth";

const PREFIX_DIGITS = 5;
const TIMEOUT_MS = 1000;
/** A padded answer has about 40 KiB. */
const MAX_BYTES = 512 * 1024;

/**
 * Asks a range service for all hashes with the same first five digits, so that it learns neither the password nor
 * whether it is known. The answer has lines like `0018A45C4D1DEF81644B54AB7F969B88D65:3`; padding has the count 0.
 * `hash`: SHA-1 in upper-case hex. Throws if the service gives no usable answer within a second.
 * https://haveibeenpwned.com/API/v3#PwnedPasswords
 */
export async function isInRange(url: string, hash: string, fetchBytes: FetchBytes): Promise<boolean> {
  const headers = { "Add-Padding": "true" }; // so that the size of the answer does not tell the prefix
  const { status, bytes } = await fetchBytes(url + hash.slice(0, PREFIX_DIGITS), {
    maxBytes: MAX_BYTES,
    timeoutMs: TIMEOUT_MS,
    headers,
  });
  if (status !== 200) throw new Error(`the service for passwords of breaches answered ${status}`);
  const suffix = hash.slice(PREFIX_DIGITS);
  return Buffer.from(bytes)
    .toString("latin1")
    .split(/\r?\n/)
    .some((line) => {
      const [found = "", count = ""] = line.split(":");
      return found.toUpperCase() === suffix && Number(count) > 0;
    });
}
