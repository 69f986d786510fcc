import { type ActiveSession, type Hash, sha256 } from "@gatehouse/auth";
import type { AccountDeps } from "../deps.ts";
import { hasFreshSignIn } from "../fresh-sign-in/fresh-sign-in.ts";
import { openMailedLink } from "../mailed-tokens/open.ts";
import type { MailedToken } from "../store/mailed-tokens.ts";
import { completesEmailChange } from "./change-email.ts";
import { isAskingBrowser } from "./sign-up.ts";

/** The links that lead to /verify-email. */
const PURPOSES = ["sign_up", "verify", "email_change", "email_undo"] as const;

/** Who opened a mailed link: the session of the browser, and the hash of the browser's cookie. */
export type LinkVisitor = { session: ActiveSession | undefined; browser: Hash | null };

/** The token behind a link to /verify-email; undefined if it is used, replaced or expired. Spends nothing. FP-02. */
export async function openVerificationLink(
  secret: string | undefined,
  deps: Pick<AccountDeps, "people" | "now">,
): Promise<MailedToken | undefined> {
  for (const purpose of PURPOSES) {
    const token = await openMailedLink(secret, purpose, deps);
    if (token) return token;
  }
  return undefined;
}

/** What the page of a link asks for. */
export type LinkStep =
  /** One button: the address of a new account, or of the session's. */
  | "confirm"
  /** Name and password of a new account: what was typed in another browser may be a stranger's. RG-04. */
  | "sign_up_elsewhere"
  /** A new password for an account whose address nobody has proved. RG-05. */
  | "take_over"
  /** One button, which changes the address. */
  | "change"
  /** The same, after the user has confirmed who they are. SN-03. */
  | "confirm_identity"
  /** A sign-in to the account whose address changes. */
  | "sign_in"
  /** One button, which undoes a change of the address. */
  | "undo";

/** Decides what the page of a link asks for. Changes nothing. FP-02. */
export async function linkStep(token: MailedToken, visitor: LinkVisitor, deps: AccountDeps): Promise<LinkStep> {
  switch (token.purpose) {
    case "sign_up":
      return asksForPassword(token, visitor) ? "sign_up_elsewhere" : "confirm";
    case "verify":
      return asksForPassword(token, visitor) ? "take_over" : "confirm";
    case "email_change": {
      const { session } = visitor;
      if (!isOwner(token, session)) return "sign_in";
      const completes = completesEmailChange(token, {
        browser: sessionBinding(session),
        confirmed: await hasFreshSignIn(session, deps),
      });
      return completes ? "change" : "confirm_identity";
    }
    default:
      return "undo";
  }
}

/** Does the page of a link ask for a new password? RG-04, RG-05. */
export function asksForPassword(token: MailedToken, { session, browser }: LinkVisitor): boolean {
  if (token.purpose === "sign_up") return !isAskingBrowser(token, browser);
  return token.purpose === "verify" && !isOwner(token, session);
}

function isOwner(token: MailedToken, session: ActiveSession | undefined): session is ActiveSession {
  return session !== undefined && session.user.id === token.userId;
}

/**
 * What a code that a signed-in user asked for is bound to: the session, whose public id outlives a change of its
 * secret.
 */
export function sessionBinding({ session }: ActiveSession): Hash {
  return sha256(`session ${session.id}`);
}
