import type { OperationDeps } from "../deps.ts";

/** The header of a delivery that the doctor sends. The delivery log drops headers of this prefix. */
const PROBE_HEADER = "x-gatehouse-probe";
const PURPOSE = "webhook probe";
const PROBE_SECONDS = 300;

/** Proves to the receiver of the same installation, for five minutes, that a delivery is a probe. */
export function probeHeaders({ seal, now }: Pick<OperationDeps, "seal" | "now">): Record<string, string> {
  return { [PROBE_HEADER]: seal.seal(PURPOSE, String(now() + PROBE_SECONDS)) };
}

/** Whether the headers carry a valid proof. */
export function isProbe(headers: Headers, { seal, now }: Pick<OperationDeps, "seal" | "now">): boolean {
  const sent = headers.get(PROBE_HEADER);
  const until = sent === null ? undefined : seal.open(PURPOSE, sent);
  return until !== undefined && Number(until) > now();
}
