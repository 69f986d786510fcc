import type { TestRun } from "@gatehouse/db/stores/auth/test-runs";
import type { OperationDeps } from "../deps.ts";
import type { ProofKey } from "./proof.ts";

/** What a client can be tried for: the grants of {@link KIND_GRANTS}. */
export const TRY_KINDS = ["code", "device", "service"] as const;
export type TryKind = (typeof TRY_KINDS)[number];

/**
 * What a run knows between two steps, as one sealed value that the page holds and cannot read: in production no code or token leaves the
 * server in clear. Worthless to anybody but the operator, and after the run. CO-40.
 */
export type Ticket = {
  runId: TestRun["id"];
  kind: TryKind;
  reveal: boolean;
  state?: string;
  verifier?: string;
  code?: string;
  deviceCode?: string;
  accessToken?: string;
  refreshToken?: string;
  /** Of a client that requires DPoP. */
  proofKey?: ProofKey;
};

const PURPOSE = "test run ticket";

export function sealTicket(ticket: Ticket, { seal }: Pick<OperationDeps, "seal">): string {
  return seal.seal(PURPOSE, JSON.stringify(ticket));
}

/** Undefined for a value that this server did not seal. */
export function openTicket(sealed: string, { seal }: Pick<OperationDeps, "seal">): Ticket | undefined {
  const clear = seal.open(PURPOSE, sealed);
  return clear === undefined ? undefined : (JSON.parse(clear) as Ticket); // sealed by us, so it has this shape
}
