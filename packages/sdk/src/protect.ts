import { type AuthDemand, acceptOf } from "./accept.ts";
import type { Authorizer } from "./authorize.ts";
import type { Incoming } from "./core.ts";
import type { RequestAuth } from "./request-auth.ts";
import type { Session } from "./session/session.ts";

/** What a handler learns of its caller: the session, or where access tokens count, which of the two it was. */
export type Caller = { session: Session } | { auth: RequestAuth };

/** A request that may pass, or the response to send instead. `setCookies` belong to the response to one that passes. */
type ProtectedRequest = { ok: true; caller: Caller; setCookies: readonly string[] } | RefusedRequest;
type RefusedRequest = { ok: false; response: Response };

const OPTIONS = { canSetCookies: true } as const;

/** `auth.protect` of every handler: sessions alone, unless the demand accepts access tokens. PK-38. */
export async function protectRequest(
  { core, authorize }: Pick<Authorizer, "core" | "authorize">,
  request: Incoming,
  demand: AuthDemand,
): Promise<ProtectedRequest> {
  if (acceptOf(demand, "session") !== "session") {
    const result = await authorize(request, demand, OPTIONS);
    if (!result.ok) return { ok: false, response: await result.respond() };
    return { ok: true, caller: { auth: result.auth }, setCookies: result.setCookies };
  }
  const result = await core.protect(request, { ...demand, accept: "session" }, OPTIONS);
  if (!result.ok) return { ok: false, response: await core.refuse(request, result.refusal, result.setCookies) };
  return { ok: true, caller: { session: result.session }, setCookies: result.setCookies };
}
