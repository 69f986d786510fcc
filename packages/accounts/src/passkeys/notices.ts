import type { AccountDeps } from "../deps.ts";
import { accountEvent } from "../events/account-event.ts";
import type { AccountEventKind } from "../events/kinds.ts";
import { recipientOf } from "../mails/composer.ts";
import type { ActingBrowser } from "../registration/account-request.ts";
import type { AccountRecord } from "../store/account-record.ts";
import type { Account } from "../store/accounts.ts";

type Kind = Extract<AccountEventKind, "passkey_added" | "passkey_removed" | "passkey_cloned">;

/** The event of a change to a passkey, and the mail to its owner. SN-04. */
export function passkeyNotice(
  kind: Kind,
  { account, passkeyName, by }: { account: Account; passkeyName: string; by: ActingBrowser },
  deps: Pick<AccountDeps, "mail" | "now" | "random">,
): AccountRecord {
  const data = { at: deps.now(), ...by.source };
  return {
    events: [accountEvent(kind, { userId: account.id, source: by.source, detail: { passkey: passkeyName } }, deps)],
    mails: deps.mail.available
      ? [
          deps.mail.compose(kind, {
            ...recipientOf(account),
            userId: account.id,
            locale: account.locale ?? by.locale,
            data,
          }),
        ]
      : [],
  };
}
