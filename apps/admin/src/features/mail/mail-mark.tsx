import { IconAlertCircle, IconCheck, IconClock, IconMail, IconMinus } from "@tabler/icons-react";
import type { MailItem } from "@/trpc/types.ts";
import styles from "./mail-table.module.css";
import { MAIL_STATE_WORDS } from "./mail-words.ts";

const ICONS = { queued: IconClock, sent: IconCheck, failed: IconAlertCircle, expired: IconMinus, dropped: IconMinus };

/** Whether a mail stayed in the console, because no SMTP server was set: no server answered. */
export const isKeptHere = ({ state, answer }: Pick<MailItem, "state" | "answer">) =>
  state === "sent" && answer === null;

/** What became of a mail, as an icon and a word. Only a failure has a colour: somebody must act on it. */
export function MailMark({ mail }: { mail: Pick<MailItem, "state" | "attempts" | "answer"> }) {
  const { state, attempts } = mail;
  if (isKeptHere(mail))
    return (
      <span className={styles["mark"]}>
        <IconMail size={15} stroke={1.8} aria-hidden="true" />
        Kept here
      </span>
    );
  const Icon = ICONS[state];
  return (
    <span className={styles["mark"]} data-state={state}>
      <Icon size={15} stroke={1.8} aria-hidden="true" />
      {MAIL_STATE_WORDS[state]}
      {state === "queued" && attempts > 0 && ` after ${attempts === 1 ? "one attempt" : `${attempts} attempts`}`}
    </span>
  );
}
