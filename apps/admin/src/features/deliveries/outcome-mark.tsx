import { IconCheck, IconCopy, IconX } from "@tabler/icons-react";
import type { DeliveryOutcome } from "@/trpc/types.ts";
import styles from "./outcome-mark.module.css";
import { OUTCOMES } from "./reasons.ts";

const ICONS = { accepted: IconCheck, duplicate: IconCopy, rejected: IconX };

/** An icon, a word and the response's status. Only a rejection has a color: it is the one that somebody must act on. */
export function OutcomeMark({ outcome, status }: { outcome: DeliveryOutcome; status: number }) {
  const Icon = ICONS[outcome];
  return (
    <span className={styles["mark"]} data-outcome={outcome}>
      <Icon size={15} stroke={1.8} aria-hidden="true" />
      {OUTCOMES[outcome].label}
      <span className={styles["status"]}>{status}</span>
    </span>
  );
}
