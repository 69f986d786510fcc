import type { AccountEvent } from "../events/account-event.ts";
import type { NewAuditRow } from "./audit.ts";
import type { NewMail } from "./mails.ts";

/** What is written in the same transaction as a change of an account. Without the change, none of it is. */
export type AccountRecord = {
  mails?: readonly NewMail[];
  events?: readonly AccountEvent[];
  audit?: readonly NewAuditRow[];
};
