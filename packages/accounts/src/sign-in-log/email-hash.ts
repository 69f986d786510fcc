import { createHmac } from "node:crypto";
import type { Deps } from "@gatehouse/auth";

/**
 * What the log keeps of an address that no account has: a keyed hash, so that a reader of the database cannot try
 * addresses. `email` as `normaliseEmail` returns it. base64url, 22 characters.
 */
export function emailHash(email: string, { seal }: Pick<Deps, "seal">): string {
  const mac = createHmac("sha256", seal.derive("address of a sign-in")).update(email).digest();
  return mac.subarray(0, 16).toString("base64url");
}
