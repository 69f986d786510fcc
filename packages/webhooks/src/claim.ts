import type { Incoming } from "./incoming.ts";
import type { Adapter, Claim } from "./providers/adapter.ts";

/** The adapter's reading of the signature, unless a handshake gives that signature to anybody. */
export function readClaim(incoming: Incoming, { readClaim: read, handshake }: Pick<Adapter, "readClaim" | "handshake">): Claim {
  const claim = read(incoming);
  if (!handshake || claim.kind !== "signed") return claim;
  const isOpenToAll = [claim, ...(claim.rest ?? [])].some(({ signed }) => handshake.canSign(signed));
  return isOpenToAll ? { kind: "malformed", problem: "it signs a check of the URL instead of a payload" } : claim;
}
