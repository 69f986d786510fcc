"use client";

import Link from "next/link";
import { Timestamp } from "@/components/timestamp.tsx";
import type { MailboxItem } from "@/trpc/types.ts";
import styles from "./mailbox.module.css";

/** Newest first. */
export function MailboxList({ mails, openId }: { mails: readonly MailboxItem[]; openId: string | undefined }) {
  return (
    <nav aria-label="Mails" className={styles["list"]}>
      {mails.map(({ id, recipient, subject, createdAt }) => (
        <Link
          key={id}
          href={`/mailbox?mail=${encodeURIComponent(id)}`}
          replace
          scroll={false}
          className={styles["item"]}
          aria-current={id === openId ? "true" : undefined}
        >
          <span className={styles["subject"]}>{subject}</span>
          <span className={styles["facts"]}>
            <bdi className={styles["to"]}>{recipient}</bdi>
            <Timestamp at={createdAt} brief />
          </span>
        </Link>
      ))}
    </nav>
  );
}
