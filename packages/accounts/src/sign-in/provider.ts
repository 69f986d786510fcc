import type { AccountDeps } from "../deps.ts";
import type { FirstFactor } from "../gate/first-factor.ts";
import type { Account } from "../store/accounts.ts";
import { providerForAddress, providerInsteadOf } from "../upstream/domains.ts";
import type { SignInProvider } from "../upstream/provider.ts";
import type { SignInBrowser } from "./sign-in.ts";

type Waiting = Pick<SignInBrowser, "waiting">;
type ProviderDeps = Pick<AccountDeps, "people">;

/**
 * The provider that users with this address sign in at, whether or not there is an account; undefined if none does.
 * `email` as `normaliseEmail` returns it. UP-10.
 */
export async function findProviderOfAddress(
  email: string,
  { waiting }: Waiting,
  { people }: ProviderDeps,
): Promise<SignInProvider | undefined> {
  const provider = providerForAddress(email, await people.listSignInProviders());
  if (provider === undefined || waiting?.identity.provider !== provider.id) return provider;
  // UP-08: the account with this address has to be signed in to once more, before the identity is connected.
  return (await people.findAccount(waiting.userId))?.email === email ? undefined : provider;
}

/** The provider that a sign-in has to go through instead, after a first factor that came from elsewhere. UP-10. */
export async function findProviderInstead(
  account: Account,
  factor: FirstFactor,
  { waiting }: Waiting,
  { people }: ProviderDeps,
): Promise<SignInProvider | undefined> {
  const connects = waiting?.userId === account.id ? waiting.identity.provider : undefined;
  return providerInsteadOf(factor, account, await people.listSignInProviders(), connects);
}
