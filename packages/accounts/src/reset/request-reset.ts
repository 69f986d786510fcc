import type { Caller, Hash } from "@gatehouse/auth";
import type { AccountDeps } from "../deps.ts";
import { MAILED_TOKEN_SECONDS, mailedLink, mintMailedToken } from "../mailed-tokens/mint.ts";
import { saveRequestedToken } from "../mailed-tokens/save-requested.ts";
import type { MailBrand } from "../mails/composer.ts";
import { ACCOUNT_PAGE, type Continuation } from "../sign-in/continuation.ts";
import type { AccountRecord } from "../store/account-record.ts";
import { type Account, type AccountWithHash, hasVerifiedOwner } from "../store/accounts.ts";
import type { NewMailedToken } from "../store/mailed-tokens.ts";
import type { NewMail } from "../store/mails.ts";
import type { ResetFacts } from "../store/passwords.ts";

export type ResetRequest = {
  /** As `normaliseEmail` returns it. */
  email: string;
  continuation: Continuation;
  /** The hash of the asking browser's cookie: the continuation returns to that browser alone. FP-05. */
  browser: Hash | null;
  /**
   * The browser's id, if it has signed in to the account with this address before: strangers cannot use up its mails.
   * AB-03.
   */
  browserId?: string | undefined;
  locale: string;
  caller: Caller;
  /** Of the application that the user is on the way to. */
  brand?: MailBrand | undefined;
};

type RequestDeps = Pick<AccountDeps, "people" | "mail" | "now" | "random" | "seal" | "config">;

/**
 * Mails a link that sets a new password, if there is an account with this address. Known and unknown addresses write
 * the same rows and take equally long; an earlier link is void. Throws `TooManyMails`. FP-01, FP-07.
 */
export async function requestReset(
  { email, continuation, browser, browserId, locale, caller, brand }: ResetRequest,
  deps: RequestDeps,
): Promise<void> {
  const found = await deps.people.findAccountByEmail(email);
  const account = found && isReachable(found) ? found : undefined;
  const facts = await deps.people.findResetFacts(account?.id ?? "");
  const byMailAlone = await isByMailAlone(account?.id ?? "", deps);
  const asked = { email, continuation, browser, locale: account?.locale ?? locale };
  const { token, kind, mail } = draft({ ...asked, account, facts, byMailAlone }, deps);
  const known = account && hasVerifiedOwner(account) ? browserId : undefined;
  const composed = await deps.mail.composeRequested(kind, {
    ...mail,
    caller,
    brand,
    deliver: account !== undefined,
    browserId: known,
  });
  await saveRequestedToken(token, composed, deps);
}

/**
 * Mails the link of a reset that an admin starts. What strangers requested before does not hold it back. `also`: saved
 * in the same transaction. UM-03.
 */
export async function startReset(
  account: Account,
  { locale, also }: { locale: string; also: AccountRecord },
  deps: RequestDeps,
): Promise<void> {
  const facts = await deps.people.findResetFacts(account.id);
  const byMailAlone = await isByMailAlone(account.id, deps);
  const asked = { email: account.email, continuation: ACCOUNT_PAGE, browser: null, locale: account.locale ?? locale };
  const { token, kind, mail } = draft({ ...asked, account, facts, byMailAlone }, deps);
  await deps.people.saveMailedToken(token, {
    ...also,
    mails: [...(also.mails ?? []), deps.mail.compose(kind, { ...mail, trusted: true })],
  });
}

/**
 * The token and the mail of the reset that undoing a change of the address starts, to be saved with the undo. No limit
 * holds the mail back. `hadPassword`: before the change. Then mail alone could reset the password, and no recovery code
 * is needed. EA-03.
 */
export async function draftResetAfterUndo(
  { id, locale }: Account,
  undo: { email: string; changedAt: number; hadPassword: boolean; locale: string },
  deps: RequestDeps,
): Promise<{ reset: NewMailedToken; kind: "reset_link" | "no_password"; mail: NewMail }> {
  const { email, changedAt, hadPassword } = undo;
  const before = await deps.people.findResetFacts(id, changedAt);
  const facts = { ...before, hasPassword: false };
  const asked = { continuation: ACCOUNT_PAGE, browser: null, locale: locale ?? undo.locale };
  const { token, kind, mail } = draft(
    { ...asked, email, facts, account: { id, signInEpoch: null }, byMailAlone: hadPassword },
    deps,
  );
  return { reset: token, kind, mail: deps.mail.compose(kind, { ...mail, trusted: true }) };
}

/** How long mail alone resets the password after an undo: the reset can be requested again. EA-03. */
async function isByMailAlone(userId: string, { people, now }: Pick<RequestDeps, "people" | "now">): Promise<boolean> {
  const undone = await people.findUndoneChange(userId);
  return undone?.hadPassword === true && now() < undone.at + MAILED_TOKEN_SECONDS.undo;
}

/** What is sealed in a reset's token. */
export type SealedReset = Continuation & { byMailAlone?: boolean | undefined };
type ResetDraft = Pick<ResetRequest, "email" | "continuation" | "browser" | "locale"> & {
  account: { id: string; signInEpoch: number | null } | undefined;
  facts: ResetFacts;
  byMailAlone: boolean;
};

/** The token of a reset, and its mail. */
function draft({ email, account, facts, continuation, browser, locale, byMailAlone }: ResetDraft, deps: RequestDeps) {
  const { row, secret } = mintMailedToken(
    {
      purpose: "reset",
      userId: account?.id ?? null,
      email,
      lifetimeSeconds: MAILED_TOKEN_SECONDS.reset,
      browser,
      data: { ...continuation, ...(byMailAlone && { byMailAlone }) } satisfies SealedReset,
      signInEpoch: account?.signInEpoch ?? null,
    },
    deps,
  );
  const link = mailedLink("/reset-password", secret, deps.config);
  const to = { to: email, userId: account?.id ?? null, locale, expiresAt: row.expiresAt, token: row.hash };
  return needsRecoveryCode(facts, { byMailAlone })
    ? ({
        token: row,
        kind: "no_password",
        mail: { ...to, data: { link: facts.hasRecoveryCodes ? link : null } },
      } as const)
    : ({ token: row, kind: "reset_link", mail: { ...to, data: { link } } } as const);
}

/** The password of an account that has passkeys alone takes a recovery code besides the mail. FP-07. */
export function needsRecoveryCode(
  { hasPassword, hasPasskeys }: ResetFacts,
  { byMailAlone }: Pick<SealedReset, "byMailAlone">,
): boolean {
  return !hasPassword && hasPasskeys && !byMailAlone;
}

/** An account that is to be deleted gets the link as well: the sign-in that follows can restore it. RG-10. */
const isReachable = ({ disabledAt }: AccountWithHash) => disabledAt === null;
