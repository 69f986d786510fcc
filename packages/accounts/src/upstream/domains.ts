import { domainOf } from "../addresses/email-address.ts";
import type { FirstFactor } from "../gate/first-factor.ts";
import type { Account } from "../store/accounts.ts";
import { type SignInProvider, settingsOf } from "./provider.ts";

type Routing = Pick<SignInProvider, "id" | "enabled" | "settings">;

/**
 * The enabled provider that users with this address sign in at, whether or not there is an account. The domain has to
 * match exactly. UP-10.
 */
export function providerForAddress<Provider extends Routing>(
  email: string,
  providers: readonly Provider[],
): Provider | undefined {
  const domain = domainOf(email);
  return providers.find((provider) => provider.enabled && boundDomains(provider).includes(domain));
}

/**
 * The provider that a sign-in has to go through instead, because the account's address belongs to its domain: whatever
 * the first factor was. Undefined if the sign-in can continue. Admins keep their passkeys. `waiting`: the provider of
 * an identity that waits in this browser for one more sign-in to the account (UP-08). UP-10.
 */
export function providerInsteadOf<Provider extends Routing>(
  factor: FirstFactor,
  { email, role }: Pick<Account, "email" | "role">,
  providers: readonly Provider[],
  waiting: string | undefined,
): Provider | undefined {
  const provider = providerForAddress(email, providers);
  if (provider === undefined || provider.id === waiting) return undefined;
  if (factor.method === "upstream" && factor.provider === provider.id) return undefined;
  return factor.method === "passkey" && role === "admin" ? undefined : provider;
}

/** Whether a sign-in page has to ask for the address first: some provider takes over a domain. UP-10. */
export function routesByDomain(providers: readonly Routing[]): boolean {
  return providers.some((provider) => provider.enabled && boundDomains(provider).length > 0);
}

/** Whether a provider may verify this address: one that is bound to domains only for theirs. UP-10. */
export function mayAssert(email: string | null, provider: Pick<SignInProvider, "settings">): boolean {
  const domains = boundDomains(provider);
  return domains.length === 0 || (email !== null && domains.includes(domainOf(email)));
}

function boundDomains(provider: Pick<SignInProvider, "settings">): readonly string[] {
  return settingsOf(provider).domains;
}
