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
  internal: "operator",
};

/** Who can fix this cause. */
export function actorOf(cause: RefusalCause): RefusalActor {
  return ACTORS[cause] ?? "client developer";
}
