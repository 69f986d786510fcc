import { confirmSession, findMissingProofs, hasFreshSignIn } from "@gatehouse/accounts";
import { type ActiveSession, localPath, sessionCookie } from "@gatehouse/auth";
import { signInRequest } from "../../../server/pages/account/request.ts";
import { postedPasskey } from "../../../server/pages/passkeys/ceremonies.ts";
import { notSignedIn } from "../../../server/pages/responses/respond.tsx";
import { tooManyAttempts } from "../../../server/pages/responses/too-many-attempts.tsx";
import { confirmedResponse, confirmPage } from "../../../server/pages/sign-in/confirm.tsx";
import { goToProviderSignedIn } from "../../../server/pages/sign-in/provider/departure.tsx";
import { route, type Visit } from "../../../server/routing/route.ts";
import type { Confirmation } from "../../../views/sign-in/confirm.tsx";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/sign-in/confirm", { GET: show, POST: confirm });

async function show(visit: Visit<ActiveSession>): Promise<Response> {
  const confirmation = confirmationOf(visit.url.searchParams);
  const isConfirmed = await hasFreshSignIn(visit.session, visit.app.deps);
  return isConfirmed ? confirmedResponse(confirmation, visit.session, [], visit) : confirmPage(confirmation, visit);
}

async function confirm(visit: Visit<ActiveSession>): Promise<Response> {
  const { app, session, request, form, texts } = visit;
  const confirmation = confirmationOf(form);
  const provider = form.get("provider");
  if (provider !== null && (await findMissingProofs(session, app.deps)).first)
    return goToProviderSignedIn(provider, { purpose: "confirm", ...confirmation }, visit);
  const typed = { password: form.get("password") ?? "", code: form.get("code") ?? "", passkey: postedPasskey(form) };
  const outcome = await confirmSession(session, typed, signInRequest(visit), app.deps);
  switch (outcome.kind) {
    case "confirmed": {
      const { active, secret } = outcome;
      const cookies = secret === undefined ? [] : [sessionCookie(secret, active.session, app.deps.config)];
      return confirmedResponse(confirmation, active, cookies, visit);
    }
    case "wrong_password":
      return confirmPage(confirmation, visit, texts.confirm.incorrect);
    case "wrong_code":
      return confirmPage(confirmation, visit, texts.confirm.incorrectCode);
    case "wrong_passkey":
      return confirmPage(confirmation, visit, texts.secondStep.keyFailed);
    case "wait":
      return tooManyAttempts(outcome.seconds, visit, "/sign-in/confirm");
    case "ended":
      return notSignedIn("signed_in", request, app.deps);
  }
}

/** A `next` on another origin is dropped (SE-12). */
function confirmationOf(fields: URLSearchParams): Confirmation {
  return { next: localPath(fields.get("next")), form: fields.get("form") || undefined };
}
