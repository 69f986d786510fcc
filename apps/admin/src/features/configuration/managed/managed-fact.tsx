"use client";

import { IconLock } from "@tabler/icons-react";
import type { Managed } from "@/trpc/types.ts";
import styles from "./managed.module.css";

/** Which file manages an object, for its line of facts; nothing if none does. CO-73. */
export function ManagedFact({ managed }: { managed: Managed | null }) {
  if (!managed) return null;
  const { file, locked, unlockedBy } = managed;
  return (
    <span className={styles["fact"]} title={`Applied by ${managed.appliedBy}`}>
      {locked && <IconLock size={14} role="img" aria-label="Locked" />}
      <span>
        Managed by <bdi>{file}</bdi>
        {unlockedBy !== null && ", unlocked"}
      </span>
    </span>
  );
}
