/** @jsxImportSource preact */
import { beginPasskeySignIn, type Continuation, routesByDomain } from "@gatehouse/accounts";
import { describePendingRequest } from "@gatehouse/auth";
import { SignInPage, type SignInProps } from "../../../views/sign-in/sign-in.tsx";
import type { Visit } from "../../routing/route.ts";
import { browserForm } from "../forms/csrf.ts";
import { brandedFrame } from "../frame/frame.ts";
import { unknownPasskeySignals } from "../passkeys/signals.ts";
import { page } from "../responses/respond.tsx";
import { continuationOf } from "./continuation.ts";
import { providerNotice } from "./provider/notice.ts";

type Added = "frame" | "csrf" | "app" | "signedInAs" | "providers" | "emailFirst" | "emailCode" | "signUp" | "passkey" | "signals";
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

/** The sign-in page, with a CSRF token that is bound to the browser. */
export async function signInPage(visit: Visit, { unknownCredentialId, ...props }: SignInFacts, status = 200): Promise<Response> {
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
    { status, cookies, ceremony: passkey !== undefined },
  );
}

/** The name of the app that the user signs in to; undefined when there is none. */
export async function appNameOf({ request }: Continuation, { app }: Visit): Promise<string | undefined> {
  return request === undefined ? undefined : (await describePendingRequest(request, app.deps))?.applicationName;
}
