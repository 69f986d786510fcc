import type { AccountDeps } from "../deps.ts";
import { accountEvent } from "../events/account-event.ts";
import type { ActingBrowser } from "../registration/account-request.ts";
import type { AccountRecord } from "../store/account-record.ts";
import type { Account } from "../store/accounts.ts";
import type { Passkey } from "../store/passkeys.ts";
import { passkeyNotice } from "./notices.ts";
import type { VerifiedAssertion } from "./response.ts";

type CounterDeps = Pick<AccountDeps, "people" | "now" | "random" | "mail">;

/** How often a use is retried because the passkey was used elsewhere at the same moment. */
const TRIES = 3;

/**
 * Records the use of a passkey and checks its signature counter. A counter that does not rise means that the private
 * key exists twice. Synced passkeys exist more than once by design, so theirs only becomes an event; any other passkey
 * is refused and its owner told. WA-08, WebAuthn L3 §7.2 step 22.
 */
export async function recordUse(
  { passkey, account, by }: { passkey: Passkey; account: Account; by: ActingBrowser },
  asserted: VerifiedAssertion,
  deps: CounterDeps,
): Promise<"used" | "cloned" | "gone"> {
  let known: Passkey | undefined = passkey;
  for (let attempt = 0; known && attempt < TRIES; attempt++) {
    const rises = asserted.counter > known.counter || (asserted.counter === 0 && known.counter === 0);
    if (!rises && !known.backupEligible) {
      await deps.people.record(passkeyNotice("passkey_cloned", { account, passkeyName: known.name, by }, deps));
      return "cloned";
    }
    const counter = Math.max(known.counter, asserted.counter);
    const use = { counterBefore: known.counter, counter, backedUp: asserted.backedUp, usedAt: deps.now() };
    const also: AccountRecord = rises ? {} : { events: [lowerCounter(known, account, by, deps)] };
    if (await deps.people.usePasskey(known.credentialId, use, also)) return "used";
    known = (await deps.people.findPasskey(known.credentialId))?.passkey;
  }
  return "gone";
}

function lowerCounter({ name }: Passkey, account: Account, { source }: ActingBrowser, deps: CounterDeps) {
  return accountEvent("passkey_counter_lower", { userId: account.id, source, detail: { passkey: name } }, deps);
}
