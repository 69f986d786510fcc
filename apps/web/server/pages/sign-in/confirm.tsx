/** @jsxImportSource preact */
import {
  confirmSession,
  describeConfirmation,
  findMissingProofs,
  hasFreshSignIn,
  type KeptForm,
  keepForm,
  openKeptForm,
} from "@gatehouse/accounts";
import { type ActiveSession, csrfToken, localPath, sessionCookie } from "@gatehouse/auth";
import type { ComponentChildren } from "preact";
import { type Confirmation, ConfirmedPage, ConfirmPage, confirmPath } from "../../../views/sign-in/confirm.tsx";
import type { Visit } from "../../routing/visit.ts";
import { signInRequest } from "../account/request.ts";
import { sessionCsrf } from "../forms/csrf.ts";
import { postedPasskey } from "../passkeys/ceremonies.ts";
import { tooManyAttempts } from "../responses/errors.tsx";
import { notSignedIn } from "../responses/not-signed-in.ts";
import { page, seeOther } from "../responses/respond.ts";
import { describeKeptForm } from "./kept-form.tsx";
import { goToProviderSignedIn } from "./provider/departure.tsx";

type Signed = Visit<ActiveSession>;

/**
 * Call before a sensitive change, and before the page with its form. Undefined if the user proved who they are within
 * the last 10 minutes; otherwise the redirect to /sign-in/confirm, which returns here with the form kept, if there are
 * words for what it does. SN-03.
 */
export async function requireFreshSignIn(visit: Signed): Promise<Response | undefined> {
  const { session, url, request, form, app } = visit;
  if (await hasFreshSignIn(session, app.deps)) return undefined;
  const path = url.pathname + url.search;
  const isKept = request.method === "POST" && (await describeKeptForm(url.pathname, form, visit)) !== undefined;
  return seeOther(confirmPath({ next: path, form: isKept ? keepForm({ path, form, session }, app.deps) : undefined }));
}

/** Asks for what is missing; a user who has confirmed goes on. SN-03. */
export async function showConfirm(visit: Signed): Promise<Response> {
  const confirmation = confirmationOf(visit.url.searchParams);
  const isConfirmed = await hasFreshSignIn(visit.session, visit.app.deps);
  return isConfirmed ? confirmedResponse(confirmation, visit.session, [], visit) : confirmPage(confirmation, visit);
}

/** Takes the proofs of the form, or leads to a provider. SN-03, UP-13. */
export async function submitConfirm(visit: Signed): Promise<Response> {
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

/** The page that asks for the confirmation. */
async function confirmPage(confirmation: Confirmation, visit: Signed, problem?: string): Promise<Response> {
  const { session, app, frame } = visit;
  const [asked, kept] = await Promise.all([describeConfirmation(session, app.deps), readKeptForm(confirmation, visit)]);
  const facts = { ...asked, frame, email: session.user.email, csrf: sessionCsrf(visit), act: kept?.act };
  const content = ConfirmPage({ ...confirmation, ...facts, problem });
  return page(content, { status: problem === undefined ? 200 : 400, ceremony: asked.ceremony !== undefined });
}

/**
 * After a confirmation: back to the page, or a button that sends the kept form. `session` is the current one, `cookies`
 * set it.
 */
async function confirmedResponse(
  confirmation: Confirmation,
  session: ActiveSession,
  cookies: readonly string[],
  visit: Signed,
): Promise<Response> {
  const kept = await readKeptForm(confirmation, visit);
  if (!kept) return seeOther(confirmation.next ?? "/account", { cookies });
  const { token } = csrfToken(null, session, visit.app.deps);
  return page(<ConfirmedPage {...kept} frame={visit.frame} csrf={token} />, { cookies });
}

/** A kept form, and what it does in words. */
type DescribedForm = KeptForm & { act: ComponentChildren };

/** The form that waits for the confirmation; undefined if there is none, or it is not of this session. SN-03. */
async function readKeptForm({ form }: Confirmation, visit: Signed): Promise<DescribedForm | undefined> {
  const kept = form === undefined ? undefined : openKeptForm(form, visit.session, visit.app.deps);
  if (!kept) return undefined;
  const { pathname } = new URL(kept.path, visit.url);
  const act = await describeKeptForm(pathname, new URLSearchParams(kept.fields), visit);
  return act === undefined ? undefined : { ...kept, act };
}
