import type { Hash } from "@gatehouse/auth";
import { normaliseEmail } from "../addresses/email-address.ts";
import type { AccountDeps } from "../deps.ts";
import { accountEvent } from "../events/account-event.ts";
import { checkMailedCode } from "../mailed-tokens/check-code.ts";
import { MAILED_TOKEN_SECONDS, mailedLink, mailedTokenData, mintMailedToken } from "../mailed-tokens/mint.ts";
import { recipientOf } from "../mails/composer.ts";
import { draftResetAfterUndo } from "../reset/request-reset.ts";
import { type Account, hasVerifiedOwner } from "../store/accounts.ts";
import type { MailedToken } from "../store/mailed-tokens.ts";
import { type AccountRequest, noticeOf, sourceOf } from "./account-request.ts";
import { isCodeFresh } from "./code-age.ts";
import { mayRegister } from "./draft.ts";
import { isAskingBrowser } from "./sign-up.ts";

export type ChangeRequested =
  | { kind: "code_sent"; email: string }
  | { kind: "refused"; code: "email" | "same" | "domain" };

/**
 * Starts a change of the address: mails a code and a link to the new one, and a notice to the old one. Answers and
 * writes alike for free and taken addresses. The caller has required a recent sign-in. EA-02, EA-03.
 */
export async function requestEmailChange(
  account: Account,
  typed: string,
  request: AccountRequest & { browser: Hash | null },
  deps: AccountDeps,
): Promise<ChangeRequested> {
  const email = normaliseEmail(typed);
  if (email === undefined) return { kind: "refused", code: "email" };
  if (email === account.email) return { kind: "refused", code: "same" };
  if (!mayRegister(email, deps)) return { kind: "refused", code: "domain" };

  const { id, signInEpoch } = account;
  const locale = account.locale ?? request.locale;
  const { row, secret, code } = mintMailedToken(
    {
      purpose: "email_change",
      userId: id,
      email,
      lifetimeSeconds: MAILED_TOKEN_SECONDS.verification,
      withCode: true,
      browser: request.browser,
      data: { from: account.email },
      signInEpoch,
    },
    deps,
  );
  const deliver = (await deps.people.findAccountByEmail(email)) === undefined;
  const data = { code, link: mailedLink("/verify-email", secret, deps.config) };
  const confirm = {
    to: email,
    locale,
    data,
    expiresAt: row.expiresAt,
    token: row.hash,
    caller: request.caller,
    deliver,
  };
  const requested = await deps.mail.composeRequested("email_change_confirm", confirm);
  const mails = [
    requested,
    deps.mail.compose("email_change_notice", {
      ...recipientOf(account),
      userId: id,
      locale,
      data: noticeOf(request, deps.now()),
    }),
  ];
  const events = [
    accountEvent("email_change_requested", { userId: id, source: sourceOf(request), detail: { email } }, deps),
  ];
  // A mail that is held back leaves the earlier link and code alone. AB-07.
  await (requested.heldBack
    ? deps.people.record({ mails, events })
    : deps.people.saveAddressChange(row, { mails, events }));
  return { kind: "code_sent", email };
}

/** `dead`: replaced, expired, used, or cancelled by a change of the password. */
export type EmailChangeOutcome =
  | { kind: "changed" }
  | { kind: "wrong" }
  | { kind: "wait"; seconds: number }
  | { kind: "dead" };
/** `unconfirmed`: another session asked for the change, so the user has to confirm who they are first. */
export type EmailLinkOutcome = EmailChangeOutcome | { kind: "unconfirmed" };

/** The account whose address changes, and the public id of the session that changes it: only that one continues. */
type Changing = { account: Account; sessionId: string };
/** `browser`: what the codes of this session are bound to. `confirmed`: the session has a fresh sign-in. */
type ChangingByLink = Changing & { browser: Hash; confirmed: boolean };

/**
 * Does a link complete the change in this session? In the one that asked for it, or with a fresh sign-in: otherwise a
 * session without one could wait for the change that its user was led to ask for in another one. EA-02, SN-03.
 */
export function completesEmailChange(
  token: MailedToken,
  { browser, confirmed }: Pick<ChangingByLink, "browser" | "confirmed">,
): boolean {
  return confirmed || isAskingBrowser(token, browser);
}

/** The code, typed by the signed-in user who asked. */
export async function changeEmailWithCode(
  changing: Changing,
  { email, code, browser }: { email: string; code: string; browser: Hash | null },
  request: AccountRequest,
  deps: AccountDeps,
): Promise<EmailChangeOutcome> {
  const check = await checkMailedCode(
    { purpose: "email_change", email, code, browser, userId: changing.account.id },
    deps,
  );
  if (check.kind !== "right") return check;
  return isCodeFresh(check.token, deps.now()) ? change(changing, check.token, request, deps) : { kind: "wrong" };
}

/** The link, opened with a session of the user who asked: the proof of the new address alone switches it. EA-02. */
export async function changeEmailWithLink(
  { browser, confirmed, ...changing }: ChangingByLink,
  token: MailedToken,
  request: AccountRequest,
  deps: AccountDeps,
): Promise<EmailLinkOutcome> {
  if (!completesEmailChange(token, { browser, confirmed })) return { kind: "unconfirmed" };
  return change(changing, token, request, deps);
}

async function change(
  { account, sessionId }: Changing,
  token: MailedToken,
  request: AccountRequest,
  deps: AccountDeps,
): Promise<EmailChangeOutcome> {
  if (token.userId !== account.id || token.signInEpoch !== account.signInEpoch) return { kind: "dead" };
  const { id, email: from } = account;
  const to = token.email;
  const now = deps.now();
  const { hasPassword } = await deps.people.findResetFacts(id);
  const data: Undo = { changedAt: now, hadPassword: hasPassword };
  // An address that nobody proved may be a stranger's, mistyped at sign-up: a link there would hand over the account.
  const undo = hasVerifiedOwner(account)
    ? mintMailedToken(
        { purpose: "email_undo", userId: id, email: from, lifetimeSeconds: MAILED_TOKEN_SECONDS.undo, data },
        deps,
      )
    : undefined;
  const locale = account.locale ?? request.locale;
  const notice = { ...noticeOf(request, now) };
  const mails = [
    deps.mail.compose("email_changed", {
      ...recipientOf(account),
      userId: id,
      locale,
      data: { ...notice, link: undo ? mailedLink("/verify-email", undo.secret, deps.config) : null },
    }),
    deps.mail.compose("email_changed", { to, trusted: true, userId: id, locale, data: { ...notice, link: null } }),
  ];
  const events = [accountEvent("email_changed", { userId: id, source: sourceOf(request), detail: { from, to } }, deps)];
  const change = { userId: id, from, to, token: token.hash, sessionId, undo: undo?.row };
  const changed = await deps.people.changeAddress(change, { mails, events }, now);
  // `taken` reads like `dead`: an account that took the address since is nobody's business.
  return { kind: changed === "changed" ? "changed" : "dead" };
}

/** What an undo link has to know. `hadPassword`: before the change, mail alone could reset the password. */
type Undo = { changedAt: number; hadPassword: boolean };

/**
 * `mailed`: a link that sets a password, or how an account signs in that had passkeys and no password before the
 * change.
 */
export type EmailUndoOutcome = { kind: "undone"; mailed: "reset_link" | "no_password" } | { kind: "dead" };

/**
 * The link in the mail to the old address: restores it, ends all access, removes the password and the factors added
 * since, tells both addresses and starts a reset of the password, all in one transaction. The reset takes the mail
 * alone if the account had a password. `token` comes from `openMailedLink`. EA-03, SN-04.
 */
export async function undoEmailChange(
  token: MailedToken,
  request: AccountRequest,
  deps: AccountDeps,
): Promise<EmailUndoOutcome> {
  const undo = mailedTokenData(token, deps) as Undo | undefined;
  const { userId } = token;
  const account = userId === null ? undefined : await deps.people.findAccount(userId);
  if (!account || undo === undefined) return { kind: "dead" };
  const { id, email: from } = account;
  const { email: to, hash } = token;
  const now = deps.now();

  // Both are proved: the current address by the change, the earlier one by this link, which only a proved address gets.
  const notice = { trusted: true, userId: id, locale: account.locale ?? request.locale, data: noticeOf(request, now) };
  const notices = [...new Set([from, to])].map((address) =>
    deps.mail.compose("email_change_undone", { to: address, ...notice }),
  );
  const {
    reset,
    kind: mailed,
    mail,
  } = await draftResetAfterUndo(account, { email: to, locale: request.locale, ...undo }, deps);
  const detail = { email: to, had_password: undo.hadPassword };
  const events = [accountEvent("email_change_undone", { userId: id, source: sourceOf(request), detail }, deps)];
  const { changedAt } = undo;
  const also = { mails: [...notices, mail], events };
  const undone = await deps.people.undoAddressChange({ userId: id, to, token: hash, changedAt, reset }, also, now);
  return undone === "undone" ? { kind: "undone", mailed } : { kind: "dead" };
}
