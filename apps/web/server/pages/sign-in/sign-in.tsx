/** @jsxImportSource preact */
import { beginPasskeySignIn, type Continuation, type PasswordSignIn, routesByDomain } from "@gatehouse/accounts";
import { describePendingRequest } from "@gatehouse/auth";
import { SignInPage, type SignInProps } from "../../../views/sign-in/sign-in.tsx";
import type { Visit } from "../../routing/visit.ts";
import { browserForm } from "../forms/csrf.ts";
import { brandedFrame } from "../frame/frame.ts";
import { unknownPasskeySignals } from "../passkeys/signals.ts";
import { tooManyAttempts } from "../responses/errors.tsx";
import { page, seeOther } from "../responses/respond.ts";
import { choicesOf, continuationOf } from "./continuation.ts";
import { newBrowserPath } from "./new-browser.ts";
import { providerNotice } from "./provider/notice.ts";

type Added =
  | "frame"
  | "csrf"
  | "app"
  | "signedInAs"
  | "providers"
  | "emailFirst"
  | "emailCode"
  | "signUp"
  | "passkey"
  | "signals";
type SignInFacts = Omit<SignInProps, Added> & {
  /** A passkey that was used and that no account has. */
  unknownCredentialId?: string | undefined;
};

/** The sign-in page as its URL asks for it. */
export function showSignIn(visit: Visit): Promise<Response> {
  const { searchParams } = visit.url;
  const email = searchParams.get("email") ?? undefined;
  return signInPage(visit, { continuation: continuationOf(searchParams), email, ...noticeOf(visit) });
}

/** What led here, by its key in the query, so that a link cannot put its own text on the page. */
function noticeOf({ url, texts: { signIn } }: Visit): { note?: string } {
  const key = url.searchParams.get("notice") ?? "";
  return Object.hasOwn(signIn.notices, key) ? { note: signIn.notices[key as keyof typeof signIn.notices] } : {};
}

/** The response to a form that proved nothing. */
export function signInAgain(
  outcome: Exclude<PasswordSignIn, { kind: "next" }>,
  email: string,
  visit: Visit,
): Response | Promise<Response> {
  const { form, texts } = visit;
  const { continuation, keep } = choicesOf(form);
  const facts = { continuation, email, keep };
  const again = (problem: string) => signInPage(visit, { ...facts, problem }, 400);
  switch (outcome.kind) {
    case "invalid_email": // the browser checks no field of this form: its idea of an address is narrower than ours
      return again(texts.reset.emailInvalid);
    case "ask_password":
      return signInPage(visit, facts);
    case "no_password":
      return again(texts.signIn.enterPassword);
    case "wrong":
      return again(texts.signIn.incorrect);
    case "new_browser":
      return seeOther(newBrowserPath(email, continuation));
    case "wait":
      return tooManyAttempts(outcome.seconds, visit, "/sign-in");
  }
}

/** The sign-in page, with a CSRF token that is bound to the browser. */
export async function signInPage(
  visit: Visit,
  { unknownCredentialId, ...props }: SignInFacts,
  status = 200,
): Promise<Response> {
  const { deps } = visit.app;
  const providers = (await deps.people.listSignInProviders()).filter(({ enabled }) => enabled);
  const { csrf, cookies, browser } = browserForm(visit);
  const passkey = beginPasskeySignIn(browser ?? "", deps);
  return page(
    <SignInPage
      {...props}
      {...(visit.request.method === "GET" && providerNotice(visit, providers))}
      providers={providers}
      emailFirst={routesByDomain(providers) && !props.email}
      emailCode={deps.accounts.emailSignIn}
      signUp={deps.accounts.signUp === "open"}
      frame={await brandedFrame(visit, props.continuation.request)}
      passkey={passkey}
      signals={unknownPasskeySignals(unknownCredentialId, deps)}
      csrf={csrf}
      app={await appNameOf(props.continuation, visit)}
      signedInAs={visit.session?.user.email}
    />,
    { status, cookies },
  );
}

/** The name of the app that the user signs in to; undefined when there is none. */
export async function appNameOf({ request }: Continuation, { app }: Visit): Promise<string | undefined> {
  return request === undefined ? undefined : (await describePendingRequest(request, app.deps))?.applicationName;
}
