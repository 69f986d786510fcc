import { type Hash, mintId, mintSecret, type Role, sha256 } from "@gatehouse/auth";
import type { AccountDeps } from "../deps.ts";
import { mailedLink } from "../mailed-tokens/mint.ts";
import type { AccountRecord } from "../store/account-record.ts";
import { type Account, hasVerifiedOwner } from "../store/accounts.ts";
import type { Invitation } from "../store/invitations.ts";
import type { Maker } from "../store/maker.ts";
import type { AccountRequest } from "./account-request.ts";
import { claimAccount } from "./confirm-sign-up.ts";
import { readName } from "./draft.ts";
import { type ChosenWayIn, isStored, readWayIn, type WayInRefused } from "./way-in.ts";

/** 7 days. RG-08. */
const INVITATION_SECONDS = 7 * 86_400;

type InviteDeps = Pick<AccountDeps, "people" | "mail" | "config" | "now" | "random">;

export type InvitationDraft = {
  /** As `normaliseEmail` returns it. */
  email: string;
  role: Role;
  /** The id of the admin, or `cli`. */
  invitedBy: string;
  /** The admin; undefined for the command line. */
  maker?: Maker | undefined;
  /** The language of the mail. */
  locale: string;
};

/**
 * `link` is shown to an admin once, where no mail is sent; it is not stored. `mailId`: of the mail that has it; null
 * where mail does not work.
 */
export type Invited = { invitation: Invitation; link: string; mailId: string | null };

/**
 * Invites somebody to an account with a role: replaces the pending invitation of the address, and mails the link where
 * mail works. `also` is written in the same transaction. `taken` if there is an account with this address and a
 * verified owner, `ended` if the admin's own access has ended meanwhile. RG-08.
 */
export async function invite(
  draft: InvitationDraft,
  also: (invitation: Invitation) => AccountRecord,
  deps: InviteDeps,
): Promise<Invited | "taken" | "ended"> {
  const existing = await deps.people.findAccountByEmail(draft.email);
  if (existing && hasVerifiedOwner(existing)) return "taken";

  const { secret, hash } = mintSecret("invitation", deps.random);
  const { email, role, invitedBy, locale } = draft;
  const createdAt = deps.now();
  const expiresAt = createdAt + INVITATION_SECONDS;
  const invitation = {
    id: mintId(deps.random),
    email,
    role,
    hash,
    invitedBy,
    createdAt,
    expiresAt,
    acceptedAt: null,
    withdrawnAt: null,
  };
  const link = mailedLink("/invitation", secret, deps.config);
  const data = { link, inviter: await inviterName(invitation, deps) };
  const mails = deps.mail.available
    ? [deps.mail.compose("invitation", { to: email, trusted: true, locale, data, expiresAt })]
    : [];
  const more = also(invitation);
  const saved = await deps.people.saveInvitation(
    invitation,
    { ...more, mails: [...(more.mails ?? []), ...mails] },
    draft.maker,
  );
  return saved ? { invitation, link, mailId: mails[0]?.id ?? null } : "ended";
}

/** The longest name of an inviter that is shown, in characters. */
const MAX_INVITER_LENGTH = 60;

/**
 * Who invites: a name that a person chose, so it is cut, and has nothing that hides or reorders the text around it.
 * Undefined for the command line and API tokens. RG-08, CO-95.
 */
export async function inviterName(
  { invitedBy }: Pick<Invitation, "invitedBy">,
  { people }: Pick<AccountDeps, "people">,
): Promise<string | undefined> {
  const account = await people.findAccount(invitedBy);
  // Persian and emoji need the two joiners
  const characters = [...(account?.name ?? "").replace(/(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "").trim()];
  if (characters.length === 0) return undefined;
  const cut = characters.length > MAX_INVITER_LENGTH;
  return cut ? `${characters.slice(0, MAX_INVITER_LENGTH - 1).join("")}…` : characters.join("");
}

/** Whether an invitation can still be accepted. */
function isPendingInvitation({ acceptedAt, withdrawnAt, expiresAt }: Invitation, now: number): boolean {
  return acceptedAt === null && withdrawnAt === null && expiresAt > now;
}

/** The pending invitation behind a link. Changes nothing, however often. FP-02. */
export async function openInvitation(
  secret: string | undefined,
  { people, now }: Pick<AccountDeps, "people" | "now">,
): Promise<Invitation | undefined> {
  if (secret === undefined || !/^giv_[\w-]{43}$/.test(secret)) return undefined;
  const hash: Hash = sha256(secret);
  const found = await people.findInvitationByHash(hash);
  return found && isPendingInvitation(found, now()) ? found : undefined;
}

/** `taken`: the address has an account already; its owner can sign in. */
export type AcceptOutcome =
  | { kind: "accepted"; account: Account }
  | { kind: "dead" }
  | { kind: "taken" }
  | WayInRefused;

/**
 * Accepts an invitation: makes an account with its role and its address, which the link proves, and with the password
 * or the passkey, in one transaction. RG-08.
 */
export async function acceptInvitation(
  { id, email, role, hash }: Invitation,
  typed: { name: string } & ChosenWayIn,
  request: AccountRequest,
  deps: AccountDeps,
): Promise<AcceptOutcome> {
  const name = readName(typed.name);
  if (name === undefined) return { kind: "refused", fault: { field: "name", code: "name" } };
  const wayIn = await readWayIn(typed, { email, name }, { purpose: "invitation", userId: id }, request, deps);
  if ("kind" in wayIn) return wayIn;

  const claim = { email, name, role, registeredBy: "operator", ...wayIn } as const;
  const outcome = await claimAccount(claim, { kind: "invitation", hash }, "invitation_accepted", request, deps);
  if (typeof outcome !== "string") return { kind: "accepted", account: outcome };
  // Another browser may have stored this passkey since readWayIn() looked.
  const isPasskeyTaken = outcome === "taken" && wayIn.passkey && (await isStored(wayIn.passkey, deps));
  return isPasskeyTaken ? { kind: "passkey_refused", why: "taken" } : { kind: outcome };
}
