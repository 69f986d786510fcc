/** @jsxImportSource preact */
import { beginFirstPasskey, signUp } from "@gatehouse/accounts";
import { continuationQuery } from "../../../views/continuation.ts";
import { MessagePage } from "../../../views/message.tsx";
import { SignUpPage, type SignUpProps } from "../../../views/sign-up.tsx";
import type { Visit } from "../../routing/visit.ts";
import { brandedAccountRequest } from "../account/request.ts";
import { browserOf } from "../cookies/sign-in.ts";
import { browserForm } from "../forms/csrf.ts";
import { refusalWords } from "../forms/problems.ts";
import { brandedFrame } from "../frame/frame.ts";
import { chosenWayIn } from "../passkeys/ceremonies.ts";
import { tooManyAttempts } from "../responses/errors.tsx";
import { page, seeOther } from "../responses/respond.ts";
import { continuationOf } from "../sign-in/continuation.ts";
import { signInResponse } from "../sign-in/next-step.ts";
import { toProviderOfDomain } from "../sign-in/provider/departure.tsx";
import { appNameOf } from "../sign-in/sign-in.tsx";
import { codePage } from "../verify-email/verify-email.tsx";

/** RG-01: where nobody can sign up, prompt=create shows the sign-in page. */
export async function showSignUp(visit: Visit): Promise<Response> {
  const { searchParams } = visit.url;
  const continuation = continuationOf(searchParams);
  if (visit.app.deps.accounts.signUp !== "open") return seeOther(`/sign-in${continuationQuery(continuation)}`);
  return signUpPage(visit, { continuation, email: searchParams.get("email") ?? undefined });
}

/** Creates the account, or mails a code first. RG-02. */
export async function submitSignUp(visit: Visit): Promise<Response> {
  const { form, app, caller, texts } = visit;
  if (app.deps.accounts.signUp !== "open") return signUpClosedPage(visit);
  const continuation = continuationOf(form);
  const elsewhere = await toProviderOfDomain({ email: form.get("email") ?? "", continuation, keep: true }, visit);
  if (elsewhere) return elsewhere;

  const typed = { name: form.get("name") ?? "", email: form.get("email") ?? "" };
  const chosen = chosenWayIn(visit);
  if (!chosen) return signUpPage(visit, { continuation, ...typed, problem: texts.passkeys.addEmpty }, 400);

  // Successful attempts stay counted too: creating accounts is what an abuser wants.
  const waitSeconds = await app.deps.limits.signUp(caller).begin();
  if (waitSeconds > 0) return tooManyAttempts(waitSeconds, visit, "/sign-up");

  const request = await brandedAccountRequest(visit, continuation.request);
  const asking = { ...request, browser: browserOf(visit), continuation };
  const outcome = await signUp({ ...typed, ...chosen }, asking, app.deps);
  switch (outcome.kind) {
    case "created":
      return signInResponse(outcome.account, outcome.factor, { continuation }, visit);
    case "code_sent":
      return codePage(visit, { of: "sign_up", email: outcome.email, continuation });
    case "refused":
    case "passkey_refused":
      return signUpPage(visit, { continuation, ...typed, ...refusalWords(outcome, texts) }, 400);
  }
}

/** The sign-up page, with a CSRF token that is bound to the browser. */
async function signUpPage(
  visit: Visit,
  props: Omit<SignUpProps, "frame" | "csrf" | "app" | "leastCharacters" | "ceremony">,
  status = 200,
): Promise<Response> {
  const { deps } = visit.app;
  const { csrf, browser, cookies } = browserForm(visit);
  const frame = await brandedFrame(visit, props.continuation.request);
  const app = await appNameOf(props.continuation, visit);
  const { leastCharacters } = deps.passwordRules;
  const ceremony = beginFirstPasskey({ purpose: "sign_up", browser: browser ?? "", userId: null }, undefined, deps);
  return page(<SignUpPage {...props} {...{ frame, csrf, app, leastCharacters, ceremony }} />, { status, cookies });
}

/** Nobody can sign up, or not with this address. RG-01. */
export function signUpClosedPage({ frame }: Visit): Response {
  const { signUp: texts, errors } = frame.texts;
  return page(
    <MessagePage frame={frame} title={texts.closedTitle} action={{ label: errors.signIn, href: "/sign-in" }}>
      {texts.closed}
    </MessagePage>,
    { status: 403 },
  );
}
