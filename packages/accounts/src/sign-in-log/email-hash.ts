import { createHmac } from "node:crypto";
import type { Deps, SealKey } from "@gatehouse/auth";

/**
 * What the log keeps of an address that no account has: a keyed hash, so that a reader of the database cannot try
 * addresses. `email` as `normaliseEmail` returns it. base64url, 22 characters.
 */
export function emailHash(email: string, { seal }: Pick<Deps, "seal">): string {
  return hashUnder(seal.keys[0], email);
}

/** {@link emailHash} under each secret, to search by. OP-15. */
export function emailHashes(email: string, { seal }: Pick<Deps, "seal">): string[] {
  return seal.keys.map((key) => hashUnder(key, email));
}

function hashUnder({ derive }: SealKey, email: string): string {
  const mac = createHmac("sha256", derive("address of a sign-in")).update(email).digest();
  return mac.subarray(0, 16).toString("base64url");
}
