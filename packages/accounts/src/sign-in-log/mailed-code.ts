import { constantTimeEqual, type Hash, sha256 } from "@gatehouse/auth";
import type { AccountDeps } from "../deps.ts";
import { MAILED_CODE_TRIES } from "../mailed-tokens/mint.ts";
import { isMailedTokenLive } from "../mailed-tokens/open.ts";
import type { MailedToken } from "../store/mailed-tokens.ts";
import type { SignInCause } from "./causes.ts";

/** Why a mailed code or link did not sign anybody in, and whose account it was mailed to. */
export type DeadMail = { cause: SignInCause; userId?: string | null };

type Deps = Pick<AccountDeps, "people" | "now">;

/**
 * Why a typed code was wrong, from the newest mail to the address for this purpose: asked only for the sign-in log,
 * after the answer was decided.
 */
export async function whyCodeIsWrong(
  { purpose, email, browser }: { purpose: "sign_in" | "new_browser"; email: string; browser: Hash | null },
  deps: Deps,
): Promise<DeadMail> {
  const sought = { purpose, email, now: 0 }; // expired ones as well
  const own = browser === null ? undefined : await deps.people.findNewestMailedToken({ ...sought, browser });
  const token = own ?? (await deps.people.findNewestMailedToken(sought));
  if (!token) return { cause: "code_not_sent" };
  const { userId, tries } = token;
  const dead = whyTokenIsDead(token, browser, deps);
  return dead ?? { cause: tries >= MAILED_CODE_TRIES ? "code_tries_used" : "wrong_code", userId };
}

/** Why the token behind a mailed link signs nobody in here; undefined if nothing is known about it, or it is alive. */
export async function whyLinkIsDead(
  secret: string | undefined,
  browser: Hash | null,
  deps: Deps,
): Promise<(DeadMail & { token: MailedToken }) | undefined> {
  const token = secret === undefined ? undefined : await deps.people.findMailedToken(sha256(secret));
  const dead = token?.purpose === "sign_in" ? whyTokenIsDead(token, browser, deps) : undefined;
  return token && dead && { ...dead, token };
}

/** Why the token is dead in this browser; undefined if it is alive. */
function whyTokenIsDead(token: MailedToken, browser: Hash | null, { now }: Pick<Deps, "now">): DeadMail | undefined {
  const { userId } = token;
  if (userId === null) return { cause: "unknown_address" };
  if (token.spentAt !== null) return { cause: "code_used", userId };
  if (token.expiresAt <= now()) return { cause: "code_expired", userId };
  if (token.user?.disabledAt != null) return { cause: "account_disabled", userId };
  if (!isMailedTokenLive(token, now())) return { cause: "code_ended", userId };
  const isAsking = token.browser === null || (browser !== null && constantTimeEqual(token.browser, browser));
  return isAsking ? undefined : { cause: "code_of_other_browser", userId };
}
