import type { Hash } from "@gatehouse/auth";
import type { AccountDeps } from "../deps.ts";
import { MAILED_TOKEN_SECONDS, mailedLink, mintMailedToken } from "../mailed-tokens/mint.ts";
import { saveRequestedToken } from "../mailed-tokens/save-requested.ts";
import type { AccountRequest } from "../registration/account-request.ts";
import { type Account, hasVerifiedOwner } from "../store/accounts.ts";

export type CodeRequest = {
  /** As `normaliseEmail` returns it. */
  email: string;
  /** The hash of the asking browser's cookie: code and link work there alone. ML-02. */
  browser: Hash;
  /**
   * The browser's id, if it has signed in to the account with this address before: strangers cannot use up its mails.
   * AB-03.
   */
  browserId: string | undefined;
  /** Where the sign-in continues if the link is used. JSON. */
  continuation: unknown;
};

type RequestDeps = Pick<AccountDeps, "config" | "now" | "random" | "seal" | "people" | "mail">;

/**
 * Mails a sign-in code to the account with this address. Without one, or if it is disabled, the same rows are written
 * and nothing is sent, so the answer is the same for everybody. Throws `TooManyMails`. ML-01.
 */
export async function requestSignInCode(
  { email, browser, browserId, continuation }: CodeRequest,
  request: AccountRequest,
  deps: RequestDeps,
): Promise<void> {
  const account = await deps.people.findAccountByEmail(email);
  const known = account && mayReceive(account) ? account : undefined;
  const owner = { userId: known?.id ?? null, signInEpoch: known?.signInEpoch ?? null };
  const draft = {
    purpose: "sign_in" as const,
    email,
    lifetimeSeconds: MAILED_TOKEN_SECONDS.code,
    withCode: true,
    browser,
  };
  const { row, secret, code } = mintMailedToken({ ...draft, ...owner, data: continuation }, deps);
  const mail = await deps.mail.composeRequested("sign_in_code", {
    to: email,
    userId: owner.userId,
    locale: known?.locale ?? request.locale,
    data: { code, link: mailedLink("/sign-in/code", secret, deps.config) },
    expiresAt: row.expiresAt,
    token: row.hash,
    caller: request.caller,
    brand: request.brand,
    deliver: known !== undefined,
    browserId: known && hasVerifiedOwner(known) ? browserId : undefined,
  });
  await saveRequestedToken(row, mail, deps);
}

/** An account that is to be deleted gets the code as well: the sign-in can restore it. RG-10. */
function mayReceive(account: Account): boolean {
  return account.disabledAt === null;
}
