import type { Key } from "./adapter.ts";
import { standardKeys, standardScheme } from "./standard-webhooks.ts";

/** Polar uses its secrets as text or as base64 without saying which, so both are tried. */
function polarKeys(secret: string): readonly Key[] {
  if (secret.startsWith("whpk_")) return standardKeys(secret);
  return [{ algorithm: "hmac-sha256", bytes: Buffer.from(secret) }, ...standardKeys(secret)];
}

export const polar = standardScheme("Polar", ["webhook"], polarKeys);
