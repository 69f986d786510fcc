/** @jsxImportSource preact */
import {
  type EmailCodeContinuation,
  findKnownBrowser,
  normaliseEmail,
  requestSignInCode,
  signInWithCode,
  signInWithLink,
  visitSignInLink,
} from "@gatehouse/accounts";
import { continuationQuery, keepField } from "../../../views/continuation.ts";
import { MessagePage } from "../../../views/message.tsx";
import { EmailCodePage, EmailLinkPage } from "../../../views/sign-in/code.tsx";
import type { Visit } from "../../routing/visit.ts";
import { brandedAccountRequest, signInRequest } from "../account/request.ts";
import { forgetMailedLink, mailedLinkSecret, refuseOtherLink } from "../cookies/mailed-link.ts";
import { browserOf, signInBrowser } from "../cookies/sign-in.ts";
import { browserForm } from "../forms/csrf.ts";
import { tooManyAttempts } from "../responses/errors.tsx";
import { page, seeOther, withCookies } from "../responses/respond.ts";
import { choicesOf } from "./continuation.ts";
import { nextStepResponse } from "./next-step.ts";
import { toProviderOfDomain } from "./provider/departure.tsx";
import { signInPage } from "./sign-in.tsx";

/** Mails a code, or does as much for an address that nobody has. ML-01. */
export async function sendCode(visit: Visit): Promise<Response> {
  const { form, app, texts } = visit;
  const { continuation, keep } = choicesOf(form);
  const typed = form.get("email") ?? "";
  const email = normaliseEmail(typed);
  const browser = browserOf(visit);
  if (email === undefined || browser === null) {
    return signInPage(visit, { continuation, email: typed, problem: texts.emailSignIn.enterEmail }, 400);
  }
  const elsewhere = await toProviderOfDomain({ email, continuation, keep }, visit);
  if (elsewhere) return elsewhere;
  const browserId = await findKnownBrowser(email, signInBrowser(visit), app.deps);
  const request = await brandedAccountRequest(visit, continuation.request);
  await requestSignInCode({ email, browser, browserId, continuation: { continuation, keep } }, request, app.deps);
  return seeOther(`/sign-in/code${continuationQuery(continuation, { email, keep: keepField(keep) })}`);
}

/** The page where the code is typed. */
export function codePage(visit: Visit, email: string, flow: EmailCodeContinuation, problem?: string): Response {
  const { csrf, cookies } = browserForm(visit);
  const content = <EmailCodePage frame={visit.frame} csrf={csrf} email={email} {...flow} problem={problem} />;
  return page(content, { status: problem === undefined ? 200 : 400, cookies });
}

/** The page that a mailed link opens. Spends nothing. ML-02. */
export async function linkPage(visit: Visit): Promise<Response> {
  const link = await visitSignInLink(mailedLinkSecret(visit), signInRequest(visit), visit.app.deps);
  if (link.kind !== "usable") return unusableLink(link.kind, visit);
  const { csrf, cookies } = browserForm(visit);
  return page(<EmailLinkPage frame={visit.frame} csrf={csrf} link={link.token.hash} email={link.token.email} />, {
    cookies,
  });
}

/** The answer to a link that works elsewhere, or no longer. */
function unusableLink(kind: "elsewhere" | "dead", { frame }: Pick<Visit, "frame">): Response {
  const { elsewhereTitle, elsewhere, expiredTitle, expired, startAgain } = frame.texts.emailSignIn;
  const content =
    kind === "elsewhere" ? (
      <MessagePage frame={frame} title={elsewhereTitle}>
        {elsewhere}
      </MessagePage>
    ) : (
      <MessagePage frame={frame} title={expiredTitle} action={{ label: startAgain, href: "/sign-in" }}>
        {expired}
      </MessagePage>
    );
  return page(content, { status: 400 });
}

/** Signs in with the code of the form. ML-02. */
export async function enterCode(visit: Visit): Promise<Response> {
  const { form, app, texts } = visit;
  const email = form.get("email") ?? "";
  const choices = choicesOf(form);
  const outcome = await signInWithCode(
    { email, code: form.get("code") ?? "" },
    choices,
    signInRequest(visit),
    app.deps,
  );
  if (outcome.kind === "wait") return tooManyAttempts(outcome.seconds, visit, "/sign-in/code");
  if (outcome.kind === "wrong") return codePage(visit, email, choices, texts.emailSignIn.wrongCode);
  return withCookies(await nextStepResponse(outcome.next, visit), [forgetMailedLink(visit)]);
}

/**
 * Signs in with the link that this browser opened. Counts only with the cookie of the browser that asked for the mail:
 * N56.
 */
export async function followLink(visit: Visit): Promise<Response> {
  const refused = refuseOtherLink(visit);
  if (refused) return refused;
  const outcome = await signInWithLink(mailedLinkSecret(visit), signInRequest(visit), visit.app.deps);
  if (outcome.kind !== "next") return unusableLink(outcome.kind, visit);
  return withCookies(await nextStepResponse(outcome.next, visit), [forgetMailedLink(visit)]);
}
