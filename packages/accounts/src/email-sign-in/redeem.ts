import { constantTimeEqual, type Hash } from "@gatehouse/auth";
import type { AccountDeps } from "../deps.ts";
import { checkMailedCode } from "../mailed-tokens/check-code.ts";
import { mailedTokenData } from "../mailed-tokens/mint.ts";
import { openMailedLink } from "../mailed-tokens/open.ts";
import type { AccountRequest } from "../registration/account-request.ts";
import { proveAddress } from "../registration/first-proof.ts";
import type { Account } from "../store/accounts.ts";
import type { MailedToken } from "../store/mailed-tokens.ts";

/**
 * `account`: the account that the code proved. `continuation` as it was given to `requestSignInCode`. `wait`: seconds
 * until the address may try codes again.
 */
export type EmailSignIn =
  | { kind: "signed_in"; account: Account; continuation: unknown }
  | { kind: "wrong" }
  | { kind: "wait"; seconds: number };

type RedeemDeps = Pick<AccountDeps, "people" | "now" | "random" | "seal" | "limits">;
/** `sessionUserId`: whose session this browser has. */
type Redeeming = AccountRequest & { sessionUserId: string | undefined };

/** Signs in with a typed code, once. ML-02, ML-03. */
export async function redeemSignInCode(
  typed: { email: string; code: string; browser: Hash | null },
  request: Redeeming,
  deps: RedeemDeps,
): Promise<EmailSignIn> {
  const checked = await checkMailedCode({ purpose: "sign_in", ...typed }, deps);
  return checked.kind === "right" ? redeemSignInLink(checked.token, request, deps) : checked;
}

/**
 * What a mailed link may do in this browser. `elsewhere`: another browser asked for it, so the code has to be typed
 * there. ML-02.
 */
export type SignInLink = { kind: "usable"; token: MailedToken } | { kind: "elsewhere" } | { kind: "dead" };

/** Looks at a mailed link, and spends nothing. */
export async function openSignInLink(
  secret: string | undefined,
  browser: Hash | null,
  deps: Pick<AccountDeps, "people" | "now">,
): Promise<SignInLink> {
  const token = await openMailedLink(secret, "sign_in", deps);
  if (!token) return { kind: "dead" };
  const isAsking = token.browser !== null && browser !== null && constantTimeEqual(token.browser, browser);
  return isAsking ? { kind: "usable", token } : { kind: "elsewhere" };
}

/**
 * Spends a token whose code or link was right; of parallel uses one wins. ML-03. The mail proves the address of an
 * account that nobody has proved, which is emptied unless this browser has a session of it. RG-05.
 */
export async function redeemSignInLink(
  token: MailedToken,
  request: Redeeming,
  deps: Pick<RedeemDeps, "people" | "now" | "random" | "seal">,
): Promise<EmailSignIn> {
  const { userId, hash } = token;
  const account = userId === null ? undefined : await deps.people.findAccount(userId);
  if (!account) return { kind: "wrong" };
  const proof = { by: "email_code", holdsAccount: request.sessionUserId === account.id, token: hash } as const;
  const { applied, emptied } = await proveAddress(account, proof, request, deps);
  // Emptying raised the epochs. Otherwise they are those from before the code was spent: a reset after it ends the
  // sign-in. WE-03.
  const proved = emptied ? await deps.people.findAccount(account.id) : account;
  return applied && proved
    ? { kind: "signed_in", account: proved, continuation: mailedTokenData(token, deps) }
    : { kind: "wrong" };
}
