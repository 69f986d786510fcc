import type { Deps } from "../deps.ts";
import type { ActiveSession } from "../sessions/session.ts";
import type { AuthorizationRequest } from "./checks.ts";
import type { Lacking } from "./granting.ts";
import { levelStepOf } from "./level-step.ts";
import { sealRequest } from "./pending-request.ts";
import type { AuthorizeResult } from "./response.ts";

/** Leads the user to what the session lacks since the request was looked at before. The request goes on from there. MF-09. */
export async function leadToGrant(
  lacking: Lacking,
  request: AuthorizationRequest,
  active: ActiveSession,
  deps: Deps,
): Promise<AuthorizeResult> {
  const sealed = sealRequest(request.parameters, active.session.id, deps);
  if (lacking === "verified_email") return { kind: "verify_email", request: sealed };
  const step = lacking === "level" ? await levelStepOf(request, active, deps) : undefined;
  if (step?.kind === "second_step") return { kind: "second_step", request: sealed };
  return { kind: "sign_in", request: sealed, loginHint: active.user.email, create: false };
}
