import type { AccountDeps } from "../deps.ts";
import type { AccountRequest } from "../registration/account-request.ts";
import { isLastSignInMethod } from "../sign-in-methods/last-way-in.ts";
import { noticesOf } from "./identities.ts";

/**
 * Disconnects an identity after a fresh sign-in, and tells its user. `last_way_in` if the account would have no way to
 * sign in; `gone` if the user has no such identity. WA-12, WE-01.
 */
export async function disconnectIdentity(
  { userId, id, sessionId }: { userId: string; id: string; sessionId: string },
  request: AccountRequest,
  deps: Pick<AccountDeps, "people" | "now" | "random" | "mail" | "accounts">,
): Promise<"removed" | "last_way_in" | "gone"> {
  const { people } = deps;
  const [account, identities, providers] = await Promise.all([
    people.findAccount(userId),
    people.listIdentities(userId),
    people.listSignInProviders(),
  ]);
  const identity = identities.find((one) => one.id === id);
  const ways = await people.findSignInMethods(userId, deps.accounts.passkeys?.rpId ?? null);
  if (!account || !identity || !ways) return "gone";
  if (isLastSignInMethod({ kind: "identity", id }, ways, deps.accounts)) return "last_way_in";
  const name = providers.find((provider) => provider.id === identity.provider)?.name ?? identity.provider;
  const also = noticesOf("identity_removed", account, name, request, deps);
  const removal = { userId, id, signInEpoch: ways.signInEpoch, keep: sessionId };
  return (await people.deleteIdentity(removal, also, deps.now())) ? "removed" : "gone";
}
