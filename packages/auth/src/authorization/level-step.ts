import type { Deps } from "../deps.ts";
import { policyLevel } from "../sessions/levels.ts";
import type { ActiveSession } from "../sessions/session.ts";
import type { AuthorizationRequest } from "./checks.ts";
import { demandOfDevice } from "./granting.ts";
import { type LevelStep, nextLevelStep } from "./levels.ts";
import { openRequest, userCodeOf } from "./pending-request.ts";
import { recheckRequest } from "./recheck.ts";
import { isClientId } from "./target.ts";

/** What the session lacks for the levels of a request. */
export async function levelStepOf(
  { levels }: Pick<AuthorizationRequest, "levels">,
  { session, user }: ActiveSession,
  deps: Deps,
): Promise<LevelStep> {
  const asked = levels.wished.length + levels.required.length > 0 || policyLevel(user.role, deps.config) !== undefined;
  if (!asked) return { kind: "met" }; // the usual case, without a query
  return nextLevelStep(session, user.role, levels, await deps.store.findEnrolment(user.id), deps.config);
}

/** What the page of the second step asks for a pending request; undefined when it cannot be continued. */
export async function describeLevelStep(
  sealed: string,
  active: ActiveSession,
  deps: Deps,
): Promise<LevelStep | undefined> {
  const demand = await demandOfPending(sealed, deps);
  return demand && levelStepOf(demand, active, deps);
}

/**
 * Does a pending request ask for more than an ordinary sign-in: a level, or a new proof of the user (`max_age`,
 * `prompt=login`)? A remembered browser then does not skip the second step. MF-08, AL-03.
 */
export async function asksForProof(sealed: string, deps: Deps): Promise<boolean> {
  const demand = await demandOfPending(sealed, deps);
  if (!demand) return false;
  const { prompts, maxAgeSeconds, levels } = demand;
  return prompts.has("login") || maxAgeSeconds !== undefined || levels.wished.length + levels.required.length > 0;
}

type PendingDemand = Pick<AuthorizationRequest, "levels" | "maxAgeSeconds"> & { prompts: ReadonlySet<string> };

/** What a pending request demands of a sign-in: an authorization request, or that of a device. */
async function demandOfPending(sealed: string, deps: Deps): Promise<PendingDemand | undefined> {
  const pending = openRequest("sign-in", sealed, deps);
  if (!pending || userCodeOf(pending) === undefined) return pending && recheckRequest(pending, deps);
  const clientId = pending.params.get("client_id") ?? "";
  const client = isClientId(clientId) ? await deps.store.findClient(clientId) : undefined;
  return client?.enabled ? { ...demandOfDevice(client, pending.issuedAt, deps.config), prompts: new Set() } : undefined;
}
