import type { Caller, Hash } from "@gatehouse/auth";
import { type Account, type AccountQueries, hasVerifiedOwner } from "../store/accounts.ts";
import type { NewMail } from "../store/mails.ts";
import type { MailKinds, OwnKind, RequestedKind } from "./kinds.ts";

/** The https links at the foot of pages and mails. BD-01. */
export type BrandLinks = { [Name in "terms" | "privacy" | "support"]?: string | undefined };

/** How the application looks that the recipient is on the way to, of its branding. BD-01. */
export type MailBrand = {
  name?: string | undefined;
  /** `#rrggbb`. */
  colour?: string | undefined;
  links?: BrandLinks;
};

export type MailOf<Kind extends keyof MailKinds> = {
  /** The recipient's address, as stored with the account. */
  to: string;
  userId?: string | null;
  /** The language: the one saved with the account, otherwise the page's. LG-03. */
  locale: string;
  data: MailKinds[Kind];
  /** Unix seconds. After that the mail is useless, and is not sent. */
  expiresAt?: number;
  /** The hash of the mailed token that the mail carries. A token that is dead by then ends the mail. */
  token?: Hash;
  /** Omitted: as the product. */
  brand?: MailBrand | undefined;
};

/**
 * A mail that follows from what the account's own user or an admin did. `trusted`: an operator or the recipient has
 * verified the address, so that the mail is never limited. Decided when the mail is composed: once it is sent, the
 * account can have another address, or be gone. AB-07, SN-04.
 */
export type OwnMail<Kind extends keyof MailKinds> = MailOf<Kind> & { trusted: boolean };

/** The recipient of a mail to an account's address. */
export function recipientOf(account: Pick<Account, "email" | "registeredBy" | "emailVerifiedAt">): {
  to: string;
  trusted: boolean;
} {
  return { to: account.email, trusted: hasVerifiedOwner(account) };
}

/** The same for an account that the caller does not have whole. */
export async function findRecipient(
  { id, email }: Pick<Account, "id" | "email">,
  { people }: { people: Pick<AccountQueries, "findAccount"> },
): Promise<{ to: string; trusted: boolean }> {
  const account = await people.findAccount(id);
  return { to: email, trusted: account?.email === email && hasVerifiedOwner(account) };
}

/**
 * Composes mails. The caller saves them in the transaction of their cause (`AccountRecord.mails`); the outbox sends
 * them later. A mail contains no name, and nothing else that a stranger typed. EM-03, EM-04.
 */
export type MailComposer = {
  /**
   * Whether mail works: there is an SMTP server, or mails are read in the console. Changes while the server runs. EM-02.
   */
  readonly available: boolean;
  /**
   * A mail that follows from what the account's own user or an admin did. Limited only where the recipient's account
   * has no verified owner. SN-04, AB-07.
   */
  compose<Kind extends OwnKind>(kind: Kind, mail: OwnMail<Kind>): NewMail;
  /**
   * A mail that anybody can cause by typing an address. Counts it for the recipient, or for the owner's own browser
   * instead, so that strangers cannot use up what its owner asks for (AB-03); for the caller; and for all together
   * (AB-07). The result is to be saved either way, so that known and unknown addresses write the same rows: the outbox
   * drops it if `deliver` is false (nobody with this address may get it) or a limit is reached. Throws
   * {@link TooManyMails} if the caller is over its own limit.
   */
  composeRequested<Kind extends RequestedKind>(
    kind: Kind,
    mail: MailOf<Kind> & {
      caller: Caller;
      deliver: boolean;
      /** Of a browser that the owner of the address signed in with. */
      browserId?: string | undefined;
    },
  ): Promise<RequestedMail>;
};

/** `heldBack`: a limit is reached, so it is not sent, whether there is an account or not. */
export type RequestedMail = NewMail & { heldBack: boolean };

/** The caller has requested too many mails. The message is the same for every address. AB-04, AB-07. */
export class TooManyMails extends Error {
  override readonly name = "TooManyMails";
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds: number) {
    super(`too many mails from this address; try again in ${retryAfterSeconds} s`);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
