/** @jsxImportSource preact */
import {
  confirmSession,
  describeConfirmation,
  describeRenewal,
  findMissingProofs,
  hasFreshSignIn,
  type KeptForm,
  keepForm,
  openKeptForm,
  renewSignIn,
} from "@gatehouse/accounts";
import { type ActiveSession, csrfToken, sessionCookie } from "@gatehouse/auth";
import type { ComponentChildren } from "preact";
import { type Confirmation, ConfirmedPage, ConfirmPage, confirmPath } from "../../../views/sign-in/confirm.tsx";
import type { Visit } from "../../routing/visit.ts";
import { signInRequest } from "../account/request.ts";
import { browserForm, sessionCsrf } from "../forms/csrf.ts";
import { brandedFrame } from "../frame/frame.ts";
import { postedPasskey } from "../passkeys/ceremonies.ts";
import { tooManyAttempts } from "../responses/errors.tsx";
import { notSignedIn } from "../responses/not-signed-in.ts";
import { page, seeOther } from "../responses/respond.ts";
import { continuationOf } from "./continuation.ts";
import { describeKeptForm } from "./kept-form.tsx";
import { nextStepResponse } from "./next-step.ts";
import { goToProviderAgain, goToProviderSignedIn, toSignIn } from "./provider/departure.tsx";
import { type ProviderNotice, providerNotice } from "./provider/notice.ts";
import { appNameOf } from "./sign-in.tsx";

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

/** Asks for what is missing; a user who has confirmed goes on. A request asks for a new sign-in. SN-03, OI-03. */
export async function showConfirm(visit: Signed): Promise<Response> {
  const { url, session, app } = visit;
  const confirmation = confirmationOf(url.searchParams);
  if (isRenewal(confirmation)) {
    const providers = await app.deps.people.listSignInProviders();
    return renewalPage(confirmation, visit, providerNotice(visit, providers));
  }
  const isConfirmed = await hasFreshSignIn(session, app.deps);
  return isConfirmed ? confirmedResponse(confirmation, session, [], visit) : confirmPage(confirmation, visit);
}

/** Takes the proofs of the form, or leads to a provider. SN-03, UP-13. */
export async function submitConfirm(visit: Signed): Promise<Response> {
  const { app, session, request, form, texts } = visit;
  const confirmation = confirmationOf(form);
  if (isRenewal(confirmation)) return submitRenewal(confirmation, visit);
  const provider = form.get("provider");
  if (provider !== null && (await findMissingProofs(session, app.deps)).first)
    return goToProviderSignedIn(provider, { purpose: "confirm", ...confirmation }, visit);
  const outcome = await confirmSession(session, typedIn(form), signInRequest(visit), app.deps);
  switch (outcome.kind) {
    case "confirmed": {
      const { active, secret } = outcome;
      const cookies = secret === undefined ? [] : [sessionCookie(secret, active.session, app.deps.config)];
      return confirmedResponse(confirmation, active, cookies, visit);
    }
    case "wrong_password":
      return confirmPage(confirmation, visit, { problem: texts.confirm.incorrect, wrong: "password" });
    case "wrong_code":
      return confirmPage(confirmation, visit, { problem: texts.confirm.incorrectCode });
    case "wrong_passkey":
      return confirmPage(confirmation, visit, { problem: texts.secondStep.keyFailed });
    case "wait":
      return tooManyAttempts(outcome.seconds, visit, "/sign-in/confirm");
    case "ended":
      return notSignedIn("signed_in", request, app.deps);
  }
}

/** A new sign-in of the same user, for the request that asks for it. OI-03, AL-03. */
async function submitRenewal(renewal: Renewal, visit: Signed): Promise<Response> {
  const { app, session, form, texts } = visit;
  const provider = form.get("provider");
  if (provider !== null) return goToProviderAgain(provider, renewal, visit);
  const outcome = await renewSignIn(session, typedIn(form), renewal, signInRequest(visit), app.deps);
  switch (outcome.kind) {
    case "next":
      return nextStepResponse(outcome.next, visit);
    case "wrong_password":
      return renewalPage(renewal, visit, { problem: texts.confirm.incorrect, wrong: "password" });
    case "wrong_passkey":
      return renewalPage(renewal, visit, { problem: texts.secondStep.keyFailed });
    case "wait":
      return tooManyAttempts(outcome.seconds, visit, "/sign-in/confirm");
    case "other_way":
      return toSignIn(renewal, { email: session.user.email });
  }
}

/** A `next` on another origin is dropped (SE-12). */
function confirmationOf(fields: URLSearchParams): Confirmation {
  return { ...continuationOf(fields), form: fields.get("form") || undefined };
}

/** A confirmation that is a new sign-in, for a request that asks for it. */
type Renewal = Confirmation & { request: string };

function isRenewal(confirmation: Confirmation): confirmation is Renewal {
  return confirmation.request !== undefined;
}

const typedIn = (form: URLSearchParams) => ({
  password: form.get("password") ?? "",
  code: form.get("code") ?? "",
  passkey: postedPasskey(form),
});

type Refused = { problem?: string | undefined; wrong?: "password" };

/** The page that asks for the confirmation. */
async function confirmPage(
  confirmation: Confirmation,
  visit: Signed,
  { problem, wrong }: Refused = {},
): Promise<Response> {
  const { session, app, frame } = visit;
  const [asked, kept] = await Promise.all([describeConfirmation(session, app.deps), readKeptForm(confirmation, visit)]);
  const facts = { ...asked, frame, user: session.user, csrf: sessionCsrf(visit), act: kept?.act };
  const content = ConfirmPage({ ...confirmation, ...facts, problem, wrong });
  return page(content, { status: problem === undefined ? 200 : 400 });
}

/** The page that asks for a new sign-in of the same user; the sign-in page, if the account has other ways alone. */
async function renewalPage(
  { request, next }: Renewal,
  visit: Signed,
  { problem, wrong, errorId }: Refused & Pick<ProviderNotice, "errorId">,
): Promise<Response> {
  const { session, app, texts } = visit;
  const { user } = session;
  const asked = await describeRenewal(session, signInRequest(visit), app.deps);
  if (!asked) return toSignIn({ request, next }, { email: user.email });
  const content = ConfirmPage({
    ...asked,
    frame: await brandedFrame(visit, request),
    app: await appNameOf({ request, next }, visit),
    user,
    csrf: sessionCsrf(visit),
    act: undefined,
    problem: errorId === undefined ? problem : `${problem} ${texts.upstream.errorId(errorId)}`,
    wrong,
    request,
    next,
    form: undefined,
  });
  const { cookies } = browserForm(visit); // the second step is bound to the browser
  const isWrong = visit.request.method === "POST";
  return page(content, { status: isWrong ? 400 : 200, cookies });
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
