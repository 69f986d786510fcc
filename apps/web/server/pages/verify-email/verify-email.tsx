/** @jsxImportSource preact */

import type { Continuation } from "@gatehouse/accounts";
import { describePendingRequest } from "@gatehouse/auth";
import type { VNode } from "preact";
import { MessagePage } from "../../../views/message.tsx";
import { CodePage, type CodePageProps, VerificationOfferPage } from "../../../views/verify-email.tsx";
import type { Visit } from "../../routing/visit.ts";
import { browserForm } from "../forms/csrf.ts";
import { page } from "../responses/respond.ts";

/** A page whose forms are bound to the browser, since their visitors may or may not be signed in. */
export function browserPage(visit: Visit, content: (csrf: string, browser: string) => VNode, status = 200): Response {
  const { csrf, browser, cookies } = browserForm(visit);
  return page(content(csrf, browser ?? ""), { status, cookies });
}

/** Asks for the code of a mail. */
export function codePage(visit: Visit, props: Omit<CodePageProps, "frame" | "csrf">, status = 200): Response {
  return browserPage(visit, (csrf) => <CodePage {...props} frame={visit.frame} csrf={csrf} />, status);
}

/** Offers the signed-in user to verify the address of the account. */
export async function verificationOffer(visit: Visit, email: string, continuation: Continuation): Promise<Response> {
  const { request } = continuation;
  const app =
    request === undefined ? undefined : (await describePendingRequest(request, visit.app.deps))?.applicationName;
  return browserPage(visit, (csrf) => (
    <VerificationOfferPage frame={visit.frame} csrf={csrf} email={email} app={app} continuation={continuation} />
  ));
}

/** Mail is off, so nothing can be sent to the address. EM-02. */
export function mailOffPage({ frame }: Visit): Response {
  const { verifyEmail, errors } = frame.texts;
  const action = { label: errors.account, href: "/account" };
  return page(
    <MessagePage frame={frame} title={verifyEmail.requiredTitle} action={action}>
      {verifyEmail.unavailable}
    </MessagePage>,
  );
}

/** A mailed link or code that is used, replaced or expired. */
export function deadLinkPage({ frame }: Visit): Response {
  const { verifyEmail, errors } = frame.texts;
  const action = { label: errors.signIn, href: "/sign-in" };
  return page(
    <MessagePage frame={frame} title={verifyEmail.deadTitle} action={action}>
      {verifyEmail.deadText}
    </MessagePage>,
    { status: 400 },
  );
}

/** The address has an account already. */
export function takenPage({ frame }: Visit): Response {
  const { verifyEmail, errors } = frame.texts;
  return page(
    <MessagePage frame={frame} title={verifyEmail.takenTitle} action={{ label: errors.signIn, href: "/sign-in" }}>
      {verifyEmail.takenText}
    </MessagePage>,
    { status: 409 },
  );
}
