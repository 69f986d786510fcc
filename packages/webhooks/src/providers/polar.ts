import type { Key } from "./adapter.ts";
import { standardKeys, standardScheme } from "./standard-webhooks.ts";

/** Polar's own code reads its secrets in two ways, as text and as base64; which one signed is not announced, so both are tried. */
function polarKeys(secret: string): readonly Key[] {
  if (secret.startsWith("whpk_")) return standardKeys(secret);
  return [{ algorithm: "hmac-sha256", bytes: Buffer.from(secret) }, ...standardKeys(secret)];
}

export const polar = standardScheme("Polar", ["webhook"], polarKeys);
