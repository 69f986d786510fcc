import type { AccountDeps } from "../deps.ts";
import { accountEvent } from "../events/account-event.ts";
import type { ActingBrowser } from "../registration/account-request.ts";
import { isLastRequiredFactor } from "../sign-in-methods/last-factor.ts";
import { isLastSignInMethod } from "../sign-in-methods/last-way-in.ts";
import type { Account } from "../store/accounts.ts";
import { passkeyNotice } from "./notices.ts";

/** Renames a passkey. False if it is gone. `name` as {@link readPasskeyName} returns it. WA-09. */
export function renamePasskey(
  { account, credentialId, name, by }: { account: Account; credentialId: string; name: string; by: ActingBrowser },
  deps: Pick<AccountDeps, "people" | "now" | "random">,
): Promise<boolean> {
  const event = accountEvent(
    "passkey_renamed",
    { userId: account.id, source: by.source, detail: { passkey: name } },
    deps,
  );
  return deps.people.renamePasskey({ userId: account.id, credentialId, name }, { events: [event] });
}

type ManageDeps = Pick<AccountDeps, "accounts" | "config" | "people" | "now" | "random" | "mail">;

/** How often a removal is retried because the account changed at the same moment. */
const TRIES = 3;

type Removal = { account: Account; credentialId: string; sessionId: string; by: ActingBrowser };

/**
 * Removes a passkey and tells its owner; other sessions end. Call it only after a fresh sign-in. "last" if nothing
 * would be left to sign in with, "required" if nothing would be left for a second step that this server demands. WA-09,
 * WA-12, MF-09.
 */
export async function removePasskey(
  { account, credentialId, sessionId, by }: Removal,
  deps: ManageDeps,
): Promise<"removed" | "last" | "required" | "gone"> {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const [ways, passkeys] = await Promise.all([
      deps.people.findSignInMethods(account.id, deps.accounts.passkeys?.rpId ?? null),
      deps.people.listPasskeys(account.id),
    ]);
    const passkey = passkeys.find((one) => one.credentialId === credentialId);
    if (!ways || !passkey) return "gone";
    const removal = { kind: "passkey", id: credentialId } as const;
    if (isLastSignInMethod(removal, ways, deps.accounts)) return "last";
    if (isLastRequiredFactor(removal, ways, account.role, deps.config)) return "required";
    const also = passkeyNotice("passkey_removed", { account, passkeyName: passkey.name, by }, deps);
    const at = { signInEpoch: ways.signInEpoch, sessionId };
    if (await deps.people.removePasskey({ userId: account.id, credentialId }, at, also, deps.now())) return "removed";
  }
  return "gone";
}
