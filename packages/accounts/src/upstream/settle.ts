import { accountEvent } from "../events/account-event.ts";
import type { FirstFactor } from "../gate/first-factor.ts";
import { sourceOf } from "../registration/account-request.ts";
import { mayRegister } from "../registration/draft.ts";
import { type Account, hasVerifiedOwner } from "../store/accounts.ts";
import type { Invitation } from "../store/invitations.ts";
import type { UpstreamAttempt } from "./attempt.ts";
import { mayAssert, providerForAddress } from "./domains.ts";
import type { UpstreamUser } from "./exchange.ts";
import { connectIdentity, identityOf, noticesOf } from "./identities.ts";
import { decideLinking, type LinkingProblem } from "./linking.ts";
import { createUpstreamAccount } from "./new-account.ts";
import { pendingLinkCookie } from "./pending-link.ts";
import { type SignInProvider, settingsOf } from "./provider.ts";
import type { UpstreamCallback, UpstreamDeps, UpstreamResult } from "./result.ts";

/** A checked answer with everything around it. */
export type Arrival = Pick<UpstreamCallback, "session" | "request"> & {
  provider: SignInProvider;
  providers: readonly SignInProvider[];
  attempt: UpstreamAttempt;
  user: UpstreamUser;
  /** Normalised; null if there is none or it is no address. */
  email: string | null;
  factor: FirstFactor;
};

/** Applies the linking rules (UP-08) to an answer. */
export async function settle(arrival: Arrival, deps: UpstreamDeps): Promise<UpstreamResult> {
  const { attempt, email, session } = arrival;
  const { people } = deps;
  const { decision, identity, known, holder, invitation } = await decideArrival(arrival, deps);

  switch (decision.kind) {
    case "sign_in": {
      const account = await people.findAccount(decision.userId);
      // In this order: if the identity is there after the account was read, disconnecting it ends this sign-in too.
      // WE-03.
      const isConnected = known && (await people.touchIdentity(known.id, { email, lastUsedAt: deps.now() }));
      return signIn(arrival, isConnected ? account : undefined);
    }
    case "confirm":
      return { kind: "confirmed", attempt, factor: arrival.factor };
    case "already_connected":
      return { kind: "connected", attempt };
    case "connect": {
      // The account as it was before the provider was asked: a reset since then has ended the session that asked.
      // WE-03.
      const account = session && (await people.findAccount(session.user.id));
      const asking = account && { ...account, signInEpoch: session.user.signInEpoch };
      const outcome = await connect(arrival, asking, deps);
      if (outcome === "connected") return { kind: "connected", attempt };
      return refused(arrival, outcome === "taken" ? "connected_elsewhere" : "signed_out");
    }
    case "link":
      return linkAndSignIn(arrival, holder, deps);
    case "claim":
      return invitation && session?.user.id !== holder?.id
        ? create(arrival, invitation, deps)
        : claim(arrival, holder, deps);
    case "prove": {
      const waiting = { identity: { ...identity, email }, userId: decision.userId };
      return { kind: "prove", attempt, email: email ?? "", cookie: pendingLinkCookie(waiting, deps) };
    }
    case "create":
      return create(arrival, invitation, deps);
    case "refused":
      return refused(arrival, decision.reason);
  }
}

/** What the linking rules say about an answer, and what they looked at. Writes nothing. */
export async function decideArrival(arrival: Arrival, deps: UpstreamDeps) {
  const { provider, attempt, user, email, session } = arrival;
  const { people } = deps;
  const identity = { provider: provider.id, issuer: user.issuer, subject: user.subject };
  const known = await people.findIdentity(identity);
  const holder = !known && user.emailVerified && email !== null ? await people.findAccountByEmail(email) : undefined;
  const { link } = settingsOf(provider);
  const proved = !known && user.emailVerified ? email : null;
  const invitation = proved === null ? undefined : await people.findPendingInvitation(proved, deps.now());
  const decision = decideLinking({
    purpose: attempt.purpose === "test" ? "sign_in" : attempt.purpose,
    asking: session && session.session.id === attempt.sessionId ? session.user.id : null,
    owner: known?.userId ?? null,
    emailVerified: user.emailVerified && email !== null,
    mayAssert: mayAssert(email, provider),
    ofOtherProvider:
      email !== null && (providerForAddress(email, arrival.providers)?.id ?? provider.id) !== provider.id,
    holder: holder ? { id: holder.id, proved: hasVerifiedOwner(holder) } : null,
    link,
    mayCreate: mayCreate(arrival, invitation, deps),
  });
  return { decision, identity, known, holder, invitation };
}

/** UP-09, RG-01. An invitation counts in every mode (RG-08). */
function mayCreate({ provider, email }: Arrival, invitation: Invitation | undefined, deps: UpstreamDeps): boolean {
  if (invitation) return true;
  return settingsOf(provider).signUp && deps.accounts.signUp === "open" && email !== null && mayRegister(email, deps);
}

function signIn(arrival: Arrival, account: Account | undefined): UpstreamResult {
  const { attempt, factor } = arrival;
  if (!account) return refused(arrival, "no_account");
  if (account.disabledAt !== null)
    return { ...refused(arrival, "no_account"), who: { userId: account.id }, cause: "account_disabled" };
  return { kind: "signed_in", attempt, account, factor };
}

type Owner = Parameters<typeof connectIdentity>[1];

async function connect(
  arrival: Arrival,
  owner: Owner | undefined,
  deps: UpstreamDeps,
): ReturnType<typeof connectIdentity> {
  if (!owner) return "stale";
  const { provider, user, email, request } = arrival;
  const identity = { provider: provider.id, issuer: user.issuer, subject: user.subject, email };
  return connectIdentity(identity, owner, provider.name, request, deps);
}

async function linkAndSignIn(
  arrival: Arrival,
  account: Account | undefined,
  deps: UpstreamDeps,
): Promise<UpstreamResult> {
  if ((await connect(arrival, account, deps)) !== "connected") return refused(arrival, "no_account");
  return signIn(arrival, account);
}

/** RG-05: the account's address was unproved until the provider's user arrived, so what somebody else put in goes. */
async function claim(arrival: Arrival, account: Account | undefined, deps: UpstreamDeps): Promise<UpstreamResult> {
  if (!account) return refused(arrival, "no_account");
  const { provider, user, email, request, session } = arrival;
  const empties = session?.user.id !== account.id;
  const identity = identityOf(
    { provider: provider.id, issuer: user.issuer, subject: user.subject, email },
    account.id,
    deps,
  );
  const event = (kind: "account_claimed" | "email_verified") =>
    accountEvent(kind, { userId: account.id, source: sourceOf(request), detail: { provider: provider.name } }, deps);
  const proved = { ...account, emailVerifiedAt: deps.now() };
  const { events = [], mails = [] } = noticesOf("identity_linked", proved, provider.name, request, deps);
  const also = { events: [...(empties ? [event("account_claimed")] : []), event("email_verified"), ...events], mails };
  const claimed = await deps.people.claimWithIdentity({ identity, email: account.email, empties }, also, deps.now());
  return claimed ? signIn(arrival, await deps.people.findAccount(account.id)) : refused(arrival, "no_account");
}

async function create(
  arrival: Arrival,
  invitation: Invitation | undefined,
  deps: UpstreamDeps,
): Promise<UpstreamResult> {
  const { email } = arrival;
  if (email === null) return refused(arrival, "email_unverified");
  const account = await createUpstreamAccount({ ...arrival, email, invitation }, deps);
  return account ? signIn(arrival, account) : refused(arrival, "no_account");
}

function refused(
  { attempt, email }: Pick<Arrival, "attempt" | "email">,
  reason: LinkingProblem,
): Extract<UpstreamResult, { kind: "refused" }> {
  return { kind: "refused", attempt, reason, who: email === null ? undefined : { email } };
}
