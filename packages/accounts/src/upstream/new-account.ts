import { mintId } from "@gatehouse/auth";
import { localPartOf } from "../addresses/email-address.ts";
import type { AccountDeps } from "../deps.ts";
import { accountEvent } from "../events/account-event.ts";
import { type AccountRequest, sourceOf } from "../registration/account-request.ts";
import type { AccountRecord } from "../store/account-record.ts";
import type { Account, NewAccount } from "../store/accounts.ts";
import type { Invitation } from "../store/invitations.ts";
import type { UpstreamUser } from "./exchange.ts";
import { identityOf } from "./identities.ts";
import type { SignInProvider } from "./provider.ts";

type Newcomer = {
  provider: SignInProvider;
  user: UpstreamUser;
  /** Normalised, and verified by the provider. */
  email: string;
  /** A pending one of the address. */
  invitation: Invitation | undefined;
  request: AccountRequest;
};

const NAME_LENGTH = 80;

/**
 * Makes the account of an upstream user, with the role of a pending invitation. Undefined if the address or the
 * identity was taken, or the invitation used, a moment ago. UP-09, RG-08.
 */
export async function createUpstreamAccount(newcomer: Newcomer, deps: AccountDeps): Promise<Account | undefined> {
  const { provider, user, email, invitation, request } = newcomer;
  const now = deps.now();
  const id = `usr_${mintId(deps.random)}`;
  const name = nameOf(user.name) ?? localPartOf(email).slice(0, NAME_LENGTH);
  const account = { id, email, name, createdAt: now, passwordHash: null } as const;
  const identity = identityOf({ provider: provider.id, issuer: user.issuer, subject: user.subject, email }, id, deps);
  const event = (kind: "signed_up" | "invitation_accepted" | "identity_linked", userId: string) =>
    accountEvent(kind, { userId, source: sourceOf(request), detail: { provider: provider.name } }, deps);
  const also = (userId: string): AccountRecord => ({
    events: [event(invitation ? "invitation_accepted" : "signed_up", userId), event("identity_linked", userId)],
  });
  if (invitation) {
    const { role, hash } = invitation;
    const claim = { ...account, role, registeredBy: "operator", identity } as const;
    const claimed = await deps.people.claimAddress(claim, { kind: "invitation", hash }, also, now);
    return typeof claimed === "string" ? undefined : deps.people.findAccount(claimed.userId);
  }
  const own: NewAccount = { ...account, role: "user", registeredBy: "self", emailVerifiedAt: now };
  return (await deps.people.insertAccountWithIdentity(own, identity, also(id)))
    ? deps.people.findAccount(id)
    : undefined;
}

/** One line of at most 80 characters; undefined if nothing is left. RG-09. */
function nameOf(name: string | null): string | undefined {
  const line = name?.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, " ").trim();
  return line ? Array.from(line).slice(0, NAME_LENGTH).join("") : undefined;
}
