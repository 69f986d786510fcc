import type { TestRun } from "@gatehouse/db/stores/auth/test-runs";
import type { OperationDeps } from "../deps.ts";
import type { ProofKey } from "./proof.ts";

/** What a client can be tried for: the grants of {@link KIND_GRANTS}. */
export const TRY_KINDS = ["code", "device", "service"] as const;
export type TryKind = (typeof TRY_KINDS)[number];

/**
 * What a run knows between two steps, as one sealed value that the page holds and cannot read: in production no code or
 * token leaves the server in clear. Worthless to anybody but the operator, and after the run. CO-40.
 */
export type RunTicket = {
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

export function sealRunTicket(ticket: RunTicket, { seal }: Pick<OperationDeps, "seal">): string {
  return seal.seal(PURPOSE, JSON.stringify(ticket));
}

/** Undefined for a value that this server did not seal. */
export function openRunTicket(sealed: string, { seal }: Pick<OperationDeps, "seal">): RunTicket | undefined {
  const clear = seal.open(PURPOSE, sealed);
  return clear === undefined ? undefined : (JSON.parse(clear) as RunTicket); // sealed by us, so it has this shape
}
