import { requireProof, sha256 } from "@gatehouse/guard";
import { GatehouseError } from "../error.ts";
import type { Api } from "./api.ts";
import type { TokenRequest } from "./token.ts";

/** Proofs of two minutes: 500 requests a second. */
const MAX_PROOFS = 60_000;

/**
 * Verifies the DPoP proof of a request for this token and returns the thumbprint of its key. The origin of the URL is
 * that of the resource identifier, never `Host`. Each proof counts once, in this process or wherever `spendOnce` keeps
 * them. PK-50, DP-01, DP-04.
 */
export function proveKey(accessToken: string, request: TokenRequest, api: Api): Promise<string> {
  const { resource, now, spendOnce } = api.settings;
  return requireProof(request, {
    accessToken,
    origin: resource,
    now: () => Math.floor(now() / 1000),
    sha256,
    spendOnce: async (name, expiresAt) => {
      const id = await sha256(name);
      return spendOnce ? spendOnce(id, expiresAt) : spendHere(id, expiresAt, api);
    },
  });
}

/**
 * A proof that was forgotten could be used again. So a process that can keep no more of them refuses more, until the
 * oldest have expired.
 */
function spendHere(id: string, expiresAt: number, { state: { proofs }, settings }: Api): boolean {
  const now = settings.now() / 1000;
  for (const [oldest, end] of proofs) {
    if (end > now) break;
    proofs.delete(oldest);
  }
  if ((proofs.get(id) ?? 0) > now) return false;
  if (proofs.size >= MAX_PROOFS) {
    const message = `this process keeps ${MAX_PROOFS} DPoP proofs: set the option spendOnce to keep them elsewhere`;
    throw new GatehouseError("unavailable", message, { retryAfterSeconds: 5 });
  }
  proofs.set(id, expiresAt);
  return true;
}
