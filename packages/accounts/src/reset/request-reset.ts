import type { Caller, Hash } from "@gatehouse/auth";
import type { AccountDeps } from "../deps.ts";
import { MAILED_TOKEN_SECONDS, mailedLink, mintMailedToken } from "../mailed-tokens/mint.ts";
import { saveRequestedToken } from "../mailed-tokens/save-requested.ts";
import type { MailBrand } from "../mails/composer.ts";
import type { Also } from "../store/also.ts";
import type { ResetFacts } from "../store/passwords.ts";
import type { Person, PersonWithHash } from "../store/people.ts";

/** Where a reset continues: a sealed pending request, or a local path. */
export type ResetContinuation = { request: string | undefined; next: string | undefined };

export type ResetRequest = {
  /** As `normaliseEmail` returns it. */
  email: string;
  continuation: ResetContinuation;
  /** The hash of the asking browser's cookie: the continuation returns to that browser alone. FP-05. */
  browser: Hash | null;
  locale: string;
  caller: Caller;
  /** Of the application that the user is on the way to. */
  brand?: MailBrand | undefined;
};

type RequestDeps = Pick<AccountDeps, "people" | "mail" | "now" | "random" | "seal" | "config">;

/**
 * Mails a link that sets a new password, if there is an account with this address. Known and unknown addresses write the same rows and take
 * equally long; an earlier link is void. Throws `TooManyMails`. FP-01, FP-07.
 */
export async function requestReset(
  { email, continuation, browser, locale, caller, brand }: ResetRequest,
  deps: RequestDeps,
): Promise<void> {
  const found = await deps.people.findPersonByEmail(email);
  const person = found && isReachable(found) ? found : undefined;
  const { token, kind, mail } = await draftReset({ email, person, continuation, browser, locale }, deps);
  const composed = await deps.mail.composeRequested(kind, { ...mail, caller, brand, deliver: person !== undefined });
  await saveRequestedToken(token, composed, deps);
}

/**
 * Mails the link of a reset that an admin or the undo of an address change starts. No limit holds it back. `byMailAlone`: no recovery code is
 * needed, since the undo removed a password that mail alone could reset before. `also`: saved in the same transaction. Returns the kind of the
 * mail. EA-03, UM-03.
 */
export async function startReset(
  person: Person,
  { locale, byMailAlone = false, also = {} }: { locale: string; byMailAlone?: boolean; also?: Also },
  deps: RequestDeps,
): Promise<"reset_link" | "no_password"> {
  const continuation = { request: undefined, next: undefined };
  const { token, kind, mail } = await draftReset({ email: person.email, person, continuation, browser: null, locale, byMailAlone }, deps);
  await deps.people.saveMailedToken(token, { ...also, mails: [...(also.mails ?? []), deps.mail.compose(kind, mail)] });
  return kind;
}

/** What is sealed in a reset's token. */
export type SealedReset = ResetContinuation & { byMailAlone?: boolean | undefined };
type ResetDraft = Omit<ResetRequest, "caller" | "brand"> & { person: Person | undefined; byMailAlone?: boolean };

/** The token of a reset, and its mail. */
async function draftReset({ email, person, continuation, browser, locale, byMailAlone = false }: ResetDraft, deps: RequestDeps) {
  const facts = await deps.people.findResetFacts(person?.id ?? "");
  const { row, secret } = mintMailedToken(
    {
      purpose: "reset",
      userId: person?.id ?? null,
      email,
      lifetimeSeconds: MAILED_TOKEN_SECONDS.reset,
      browser,
      data: { ...continuation, ...(byMailAlone && { byMailAlone }) } satisfies SealedReset,
      signInEpoch: person?.signInEpoch ?? null,
    },
    deps,
  );
  const link = mailedLink("/reset-password", secret, deps.config);
  const to = { to: email, userId: person?.id ?? null, locale: person?.locale ?? locale, expiresAt: row.expiresAt, token: row.hash };
  return needsRecoveryCode(facts, { byMailAlone })
    ? ({ token: row, kind: "no_password", mail: { ...to, data: { link: facts.hasRecoveryCodes ? link : null } } } as const)
    : ({ token: row, kind: "reset_link", mail: { ...to, data: { link } } } as const);
}

/** The password of an account that has passkeys alone takes a recovery code besides the mail. FP-07. */
export function needsRecoveryCode({ hasPassword, hasPasskeys }: ResetFacts, { byMailAlone }: Pick<SealedReset, "byMailAlone">): boolean {
  return !hasPassword && hasPasskeys && !byMailAlone;
}

const isReachable = ({ disabledAt, deleteAfter }: PersonWithHash) => disabledAt === null && deleteAfter === null;
