/** @jsxImportSource preact */
import { type EmailSignIn, openSignInLink } from "@gatehouse/accounts";
import { csrfToken } from "@gatehouse/auth";
import { MessagePage } from "../../../views/message.tsx";
import { EmailCodePage, EmailLinkPage } from "../../../views/sign-in/code.tsx";
import type { Continuation } from "../../../views/sign-in/sign-in.tsx";
import type { Visit } from "../../routing/route.ts";
import { forgetMailedLink, mailedLinkSecret } from "../cookies/mailed-link.ts";
import { page, withCookies } from "../responses/respond.tsx";
import { tooManyAttempts } from "../responses/too-many-attempts.tsx";
import { browserOf, signedIn } from "./sign-in.tsx";

/** What a sign-in by mail goes on with. It waits in the forms, and with the mailed link. */
export type CodeFlow = { continuation: Continuation; keep: boolean };

/** The page where the code is typed. */
export function codePage(visit: Visit, email: string, flow: CodeFlow, problem?: string): Response {
  const { token, setCookie } = csrfToken(visit.request.headers.get("cookie"), undefined, visit.app.deps);
  const content = <EmailCodePage frame={visit.frame} csrf={token} email={email} {...flow} problem={problem} />;
  return page(content, { status: problem === undefined ? 200 : 400, cookies: [setCookie] });
}

/** The page that a mailed link opens. Spends nothing. ML-02. */
export async function linkPage(visit: Visit): Promise<Response> {
  const link = await openSignInLink(mailedLinkSecret(visit), browserOf(visit).hash, visit.app.deps);
  if (link.kind !== "usable") return unusableLink(link.kind, visit);
  const { token, setCookie } = csrfToken(visit.request.headers.get("cookie"), undefined, visit.app.deps);
  return page(<EmailLinkPage frame={visit.frame} csrf={token} link={link.token.hash} email={link.token.email} />, { cookies: [setCookie] });
}

/** The answer to a link that works elsewhere, or no longer. */
export function unusableLink(kind: "elsewhere" | "dead", { frame }: Pick<Visit, "frame">): Response {
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

/** Signs in after a right code or link; undefined if it was wrong. Every first factor ends in `signedIn`. MF-01. */
export async function afterEmailCode(result: EmailSignIn, flow: CodeFlow | undefined, visit: Visit): Promise<Response | undefined> {
  if (result.kind === "wait") return tooManyAttempts(result.seconds, visit, "/sign-in/code");
  if (result.kind !== "signed_in") return undefined;
  const { continuation, keep } = flow ?? (result.continuation as CodeFlow); // as this page gave it to `requestSignInCode`
  const response = await signedIn(result.person, { method: "email_code" }, { continuation, keep }, visit);
  return withCookies(response, [forgetMailedLink(visit)]);
}
