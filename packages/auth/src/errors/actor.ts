import type { RefusalCause } from "./refusal.ts";

/** Who can fix the cause of a refusal. */
export type RefusalActor = "client developer" | "admin" | "user" | "operator" | "nobody";

/** Every other cause is for the developer of the client to fix. */
const ACTORS: Partial<Record<RefusalCause, RefusalActor>> = {
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
  form_cookies_lost: "user",
  // The settings of a provider are an admin's, and so are the rules about who gets in.
  upstream_answer_invalid: "admin",
  upstream_user_refused: "admin",
  upstream_unavailable: "operator",
  upstream_denied: "user",
  upstream_state_unknown: "user",
  internal: "operator",
};

/** Who can fix this cause. */
export function actorOf(cause: RefusalCause): RefusalActor {
  return ACTORS[cause] ?? "client developer";
}
