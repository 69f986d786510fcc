import type { LinkingDecision } from "./linking.ts";
import type { UpstreamDeps } from "./result.ts";
import { type Arrival, decideArrival } from "./settle.ts";
import type { UpstreamTestOutcome } from "./test-outcome.ts";

/** What a sign-in with this answer would do. Writes nothing. */
export async function describeTest(arrival: Arrival, deps: UpstreamDeps): Promise<UpstreamTestOutcome> {
  const { user, email, factor } = arrival;
  const { decision } = await decideArrival(arrival, deps);
  const userId = "userId" in decision ? decision.userId : undefined;
  const account = userId === undefined ? undefined : await deps.people.findAccount(userId);
  return {
    kind: "arrived",
    issuer: short(user.issuer),
    subject: short(user.subject),
    email: email ?? (user.email === null ? null : short(user.email)),
    emailVerified: user.emailVerified,
    name: user.name === null ? null : short(user.name),
    acr: user.acr === null ? null : short(user.acr),
    amr: user.amr.slice(0, 10).map(short),
    authTime: user.authTime,
    level: factor.method === "upstream" ? factor.acr : null,
    leadsTo: {
      kind: kindOf(decision),
      account: account ? { id: account.id, email: account.email, disabled: account.disabledAt !== null } : null,
      reason: decision.kind === "refused" ? decision.reason : null,
    },
  };
}

/** Decisions of a sign-in: a test asks as one. */
function kindOf({ kind }: LinkingDecision) {
  if (kind === "confirm" || kind === "connect" || kind === "already_connected")
    throw new Error(`a test is decided as a sign-in, not ${kind}`);
  return kind;
}

/** The report travels in a URL. */
const MAX_TEXT = 300;
const short = (text: string) => text.slice(0, MAX_TEXT);
