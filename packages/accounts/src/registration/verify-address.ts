import type { Hash } from "@gatehouse/auth";
import { subjectKey } from "@gatehouse/runtime";
import type { AccountDeps } from "../deps.ts";
import { checkMailedCode } from "../mailed-tokens/check-code.ts";
import { MAILED_TOKEN_SECONDS, mailedLink, mailedTokenData, mintMailedToken } from "../mailed-tokens/mint.ts";
import { saveRequestedToken } from "../mailed-tokens/save-requested.ts";
import { ACCOUNT_PAGE, type Continuation } from "../sign-in/continuation.ts";
import { type Account, hasVerifiedOwner } from "../store/accounts.ts";
import type { MailedToken } from "../store/mailed-tokens.ts";
import type { AccountRequest } from "./account-request.ts";
import { isCodeFresh } from "./code-age.ts";
import { type FieldFault, passwordFault } from "./draft.ts";
import { proveAddress } from "./first-proof.ts";

export type VerifyOutcome =
  | { kind: "verified"; continuation: Continuation }
  | { kind: "wrong" }
  | { kind: "wait"; seconds: number }
  | { kind: "dead" };

/** Mails a code and a link to the address of an existing account. The code works in this browser. RG-02. */
export async function sendVerification(
  { id, email, locale, signInEpoch }: Pick<Account, "id" | "email" | "locale" | "signInEpoch">,
  request: AccountRequest & { browser: Hash | null; continuation: Continuation },
  deps: Pick<AccountDeps, "people" | "mail" | "config" | "now" | "random" | "seal">,
): Promise<void> {
  const { row, secret, code } = mintMailedToken(
    {
      purpose: "verify",
      userId: id,
      email,
      lifetimeSeconds: MAILED_TOKEN_SECONDS.verification,
      withCode: true,
      browser: request.browser,
      data: request.continuation,
      signInEpoch,
    },
    deps,
  );
  const data = { code, link: mailedLink("/verify-email", secret, deps.config) };
  const to = {
    to: email,
    userId: id,
    locale: locale ?? request.locale,
    data,
    expiresAt: row.expiresAt,
    token: row.hash,
  };
  const { caller, brand } = request;
  const mail = await deps.mail.composeRequested("verify_email", { ...to, caller, brand, deliver: true });
  await saveRequestedToken(row, mail, deps);
}

/** The code, typed by the signed-in user: the account keeps everything. */
export async function verifyWithCode(
  account: Account,
  { code, browser }: { code: string; browser: Hash | null },
  request: AccountRequest,
  deps: AccountDeps,
): Promise<VerifyOutcome> {
  const check = await checkMailedCode({ purpose: "verify", email: account.email, code, browser }, deps);
  if (check.kind !== "right") return check;
  const { token } = check;
  if (token.userId !== account.id || !isCodeFresh(token, deps.now())) return { kind: "wrong" };
  return verifyWithLink(account, token, request, deps);
}

/** The link, opened with the account's session: the account keeps everything. `token` comes from `openMailedLink`. */
export async function verifyWithLink(
  account: Account,
  token: MailedToken,
  request: AccountRequest,
  deps: Pick<AccountDeps, "people" | "now" | "random" | "seal">,
): Promise<VerifyOutcome> {
  if (token.userId !== account.id) return { kind: "dead" };
  const { applied } = await proveAddress(
    account,
    { by: "verification", holdsAccount: true, token: token.hash },
    request,
    deps,
  );
  return applied ? { kind: "verified", continuation: continuationOf(token, deps) } : { kind: "dead" };
}

function continuationOf(token: MailedToken, deps: Pick<AccountDeps, "seal">): Continuation {
  return (mailedTokenData(token, deps) as Continuation | undefined) ?? ACCOUNT_PAGE;
}

export type TakeOverOutcome =
  | { kind: "taken_over"; account: Account }
  | { kind: "dead" }
  | { kind: "refused"; fault: FieldFault };

/**
 * The link, opened by somebody who neither is signed in to the account nor knows its password: the account is emptied,
 * and the new password is its only way in. RG-05.
 */
export async function takeOverWithLink(
  token: MailedToken,
  password: string,
  request: AccountRequest,
  deps: AccountDeps,
): Promise<TakeOverOutcome> {
  const account = token.userId === null ? undefined : await deps.people.findAccount(token.userId);
  if (!account || hasVerifiedOwner(account)) return { kind: "dead" };
  const fault = await passwordFault(password, account, deps);
  if (fault) return { kind: "refused", fault };
  const passwordHash = await deps.hasher.hash(password, subjectKey("account", account.id));

  const proof = { by: "verification", holdsAccount: false, token: token.hash, passwordHash } as const;
  const { emptied } = await proveAddress(account, proof, request, deps);
  const owner = emptied ? await deps.people.findAccountByEmail(account.email) : undefined;
  return owner?.passwordHash === passwordHash ? { kind: "taken_over", account: owner } : { kind: "dead" };
}
