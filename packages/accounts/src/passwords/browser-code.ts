import type { Hash } from "@gatehouse/auth";
import type { AccountDeps } from "../deps.ts";
import { type CodeCheck, checkMailedCode } from "../mailed-tokens/check-code.ts";
import { MAILED_TOKEN_SECONDS, mintMailedToken } from "../mailed-tokens/mint.ts";
import { saveRequestedToken } from "../mailed-tokens/save-requested.ts";
import type { AccountRequest } from "../registration/account-request.ts";
import type { Continuation } from "../sign-in/continuation.ts";
import type { SignInDeps, SignInRequest } from "../sign-in/sign-in.ts";
import { whyCodeIsWrong } from "../sign-in-log/mailed-code.ts";
import { recordSignIn } from "../sign-in-log/record.ts";

type RequestDeps = Pick<AccountDeps, "now" | "random" | "seal" | "people" | "mail">;

/**
 * Mails a code with which a browser may try passwords of the account with this address, after many failures. Without an
 * account the same rows are written and nothing is sent. `email` as `normaliseEmail` returns it; the code works in
 * `browser` alone. Throws `TooManyMails`. AB-03.
 */
export async function requestBrowserCode(
  { email, browser }: { email: string; browser: Hash },
  request: AccountRequest,
  deps: RequestDeps,
): Promise<void> {
  const account = await deps.people.findAccountByEmail(email);
  const known = account && account.disabledAt === null && account.deleteAfter === null ? account : undefined;
  const owner = { userId: known?.id ?? null, signInEpoch: known?.signInEpoch ?? null };
  const draft = {
    purpose: "new_browser" as const,
    email,
    lifetimeSeconds: MAILED_TOKEN_SECONDS.code,
    withCode: true,
    browser,
  };
  const { row, code } = mintMailedToken({ ...draft, ...owner }, deps);
  const mail = await deps.mail.composeRequested("new_browser_code", {
    to: email,
    userId: owner.userId,
    locale: known?.locale ?? request.locale,
    data: { code },
    expiresAt: row.expiresAt,
    token: row.hash,
    caller: request.caller,
    deliver: known !== undefined,
  });
  await saveRequestedToken(row, mail, deps);
}

/**
 * Spends a typed code. It proves nothing about the account: afterwards this browser's passwords are checked again. The
 * sign-in log has one that does not count, with its cause. AB-03, SL-01.
 */
export async function confirmBrowser(
  { email, code, continuation }: { email: string; code: string; continuation: Continuation },
  request: SignInRequest,
  deps: SignInDeps,
): Promise<"confirmed" | Exclude<CodeCheck, { kind: "right" }>> {
  const typed = { purpose: "new_browser" as const, email, browser: request.browser.hash };
  const checked = await checkMailedCode({ ...typed, code }, deps);
  if (checked.kind === "right" && (await deps.people.spendMailedToken(checked.token.hash, deps.now())))
    return "confirmed";
  const refused = checked.kind === "wait" ? checked : { kind: "wrong" as const };
  const { cause } =
    refused.kind === "wait" ? { cause: "too_many_attempts" as const } : await whyCodeIsWrong(typed, deps);
  const detail = { message: "the mailed code with which a new browser may try passwords" };
  await recordSignIn({ factor: "password", cause, who: { email }, detail }, continuation, request, deps);
  return refused;
}
