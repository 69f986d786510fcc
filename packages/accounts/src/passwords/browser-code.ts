import type { Hash } from "@gatehouse/auth";
import type { AccountDeps } from "../deps.ts";
import { type CodeCheck, checkMailedCode } from "../mailed-tokens/check-code.ts";
import { MAILED_TOKEN_SECONDS, mintMailedToken } from "../mailed-tokens/mint.ts";
import { saveRequestedToken } from "../mailed-tokens/save-requested.ts";
import type { AccountRequest } from "../registration/account-request.ts";

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

type ConfirmDeps = Pick<AccountDeps, "people" | "now" | "limits">;

/**
 * Spends a typed code. It proves nothing about the account: afterwards this browser's passwords are checked again.
 * AB-03.
 */
export async function confirmBrowser(
  typed: { email: string; code: string; browser: Hash | null },
  deps: ConfirmDeps,
): Promise<"confirmed" | Exclude<CodeCheck, { kind: "right" }>> {
  const checked = await checkMailedCode({ purpose: "new_browser", ...typed }, deps);
  if (checked.kind !== "right") return checked;
  return (await deps.people.spendMailedToken(checked.token.hash, deps.now())) ? "confirmed" : { kind: "wrong" };
}
