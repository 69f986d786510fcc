import type { RefusalCause } from "./refusal.ts";

/** Who can act on a refusal, so that it does not happen again. */
export type RefusalActor = "client developer" | "admin" | "user" | "operator" | "nobody";

/** All other refusals are for the developer of the client. */
const OTHERS: Partial<Record<RefusalCause, RefusalActor>> = {
  client_disabled: "admin",
  client_grant_not_allowed: "admin",
  scope_not_allowed: "admin",
  registration_closed: "admin",
  registration_token_invalid: "admin",
  user_disabled: "admin",
  grant_revoked: "user",
  prompt_none_unmet: "user",
  user_denied: "user",
  device_denied: "user",
  pending_request_expired: "user",
  csrf_failed: "nobody",
  internal: "operator",
};

export function actorOf(cause: RefusalCause): RefusalActor {
  return OTHERS[cause] ?? "client developer";
}
