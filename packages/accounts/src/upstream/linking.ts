import type { UpstreamPurpose } from "./attempt.ts";
import type { LinkPolicy } from "./provider.ts";

/** Everything that decides whose account an upstream user gets into. */
export type LinkingFacts = {
  purpose: Exclude<UpstreamPurpose, "test">;
  /** For all but `sign_in`: the account that asked, in the session that asked. */
  asking: string | null;
  /** The account that has this identity. */
  owner: string | null;
  /** The address is the provider's word and counts as verified. UP-07. */
  emailVerified: boolean;
  /** The provider may verify the address: it is not bound to other domains. UP-10. */
  mayAssert: boolean;
  /** The address belongs to a domain that signs in at another provider. UP-10. */
  ofOtherProvider: boolean;
  /** The account that has the verified address. `proved`: an operator or the user has verified the address. */
  holder: { id: string; proved: boolean } | null;
  link: LinkPolicy;
  /** A new account is allowed, by the provider, the mode of registration and its domains. UP-09, RG-01. */
  mayCreate: boolean;
};

/** Why an upstream user gets into no account. */
export type LinkingProblem =
  | "other_domain"
  | "other_provider"
  | "other_account"
  | "connected_elsewhere"
  | "signed_out"
  | "email_unverified"
  | "no_account";

export type LinkingDecision =
  | { kind: "sign_in"; userId: string }
  | { kind: "confirm"; userId: string }
  | { kind: "already_connected" }
  | { kind: "connect"; userId: string }
  /** Connect to the account with the address, at once. */
  | { kind: "link"; userId: string }
  /** Connect once the user has signed in to the account with the address. */
  | { kind: "prove"; userId: string }
  /** The user proved the address of an account that somebody else may have made: empty it first. RG-05. */
  | { kind: "claim"; userId: string }
  | { kind: "create" }
  | { kind: "refused"; reason: LinkingProblem };

/** The linking rules, UP-08. */
export function decideLinking(facts: LinkingFacts): LinkingDecision {
  if (!facts.mayAssert) return refuse("other_domain");
  switch (facts.purpose) {
    case "connect":
      return decideConnect(facts);
    case "confirm":
      return decideSame("confirm", facts);
    case "renew":
      return decideSame("sign_in", facts);
    case "sign_in":
      return facts.owner === null ? decideNewIdentity(facts) : { kind: "sign_in", userId: facts.owner };
  }
}

function decideConnect({ asking, owner }: LinkingFacts): LinkingDecision {
  if (asking === null) return refuse("signed_out");
  if (owner === asking) return { kind: "already_connected" };
  return owner === null ? { kind: "connect", userId: asking } : refuse("connected_elsewhere");
}

/** Nobody else gets in here: the session that asked stays as it is. */
function decideSame(kind: "confirm" | "sign_in", { asking, owner }: LinkingFacts): LinkingDecision {
  if (asking === null) return refuse("signed_out");
  return owner === asking ? { kind, userId: asking } : refuse("other_account");
}

/** An address that nobody proved decides nothing: the answer is the same whether an account has it or not. */
function decideNewIdentity({ emailVerified, ofOtherProvider, holder, link, mayCreate }: LinkingFacts): LinkingDecision {
  if (!emailVerified) return refuse("email_unverified");
  if (ofOtherProvider) return refuse("other_provider");
  if (holder === null) return mayCreate ? { kind: "create" } : refuse("no_account");
  if (!holder.proved) return { kind: "claim", userId: holder.id };
  return { kind: link === "verified" ? "link" : "prove", userId: holder.id };
}

const refuse = (reason: LinkingProblem): LinkingDecision => ({ kind: "refused", reason });
