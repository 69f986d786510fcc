import type { Continuation, SignInChoices } from "@gatehouse/accounts";
import { type ActiveSession, localPath, resumeAuthorization } from "@gatehouse/auth";
import type { Visit } from "../../routing/visit.ts";
import { authorizationResponse } from "../authorization/respond.tsx";
import { seeOther, withCookies } from "../responses/respond.ts";

/** Reads where a sign-in continues from a query or a form. A `next` on another origin is dropped (SE-12). */
export function continuationOf(fields: URLSearchParams): Continuation {
  return { request: fields.get("request") || undefined, next: localPath(fields.get("next")) };
}

/** Reads "Keep me signed in" from a form: ticked unless the form has the box and it was not ticked. SN-02. */
export function keepsSignedIn(form: URLSearchParams): boolean {
  const sent = form.getAll("keep");
  return sent.length === 0 || sent.includes("on");
}

/** Reads from a form what it says besides its proof. */
export function choicesOf(form: URLSearchParams): SignInChoices {
  return {
    continuation: continuationOf(form),
    keep: keepsSignedIn(form),
    canMakePasskey: form.get("passkeys") === "available",
  };
}

/** Goes on after a sign-in: with the pending authorization request, the local path, or the account page. */
export async function continueTo(
  { request, next }: Continuation,
  session: ActiveSession,
  cookies: readonly string[],
  { app, caller, frame }: Visit,
): Promise<Response> {
  if (request === undefined) return seeOther(next ?? "/account", { cookies });
  return withCookies(
    authorizationResponse(await resumeAuthorization(request, session, app.deps, caller), frame),
    cookies,
  );
}
