"use client";

import { Text } from "@mantine/core";
import type { Column } from "@/components/table/columns.ts";
import { DataTable } from "@/components/table/data-table.tsx";
import { Timestamp } from "@/components/timestamp.tsx";
import type { MailItem } from "@/trpc/types.ts";
import { MailMark } from "./mail-mark.tsx";
import styles from "./mail-table.module.css";
import { answerInWords, kindInWords } from "./mail-words.ts";
import { RetryMail } from "./retry-mail.tsx";

/** The page of a mail. */
export const hrefOf = (id: string): string => `/mail/${encodeURIComponent(id)}`;

/** The columns of the outbox. */
export const MAIL_COLUMNS: readonly Column<MailItem>[] = [
  {
    id: "mail",
    title: "Mail",
    render: ({ kind, recipient }) => (
      <span className={styles["mail"]}>
        <Text span size="sm" display="block">
          {kindInWords(kind)}
        </Text>
        <Text span size="xs" c="dimmed" display="block">
          <bdi>{recipient}</bdi>
        </Text>
      </span>
    ),
  },
  { id: "status", title: "Status", render: (mail) => <Status mail={mail} /> },
  {
    id: "created",
    title: "Written",
    time: true,
    render: ({ createdAt }) => <Timestamp at={createdAt} brief seconds />,
  },
  {
    id: "retry",
    title: "Action",
    from: "medium",
    render: (mail) => (mail.canRetry ? <RetryMail mail={mail} /> : null),
  },
];

type Props = { mails: MailItem[]; open: (id: string) => void; openId: string | null };

export function MailTable({ mails, open, openId }: Props) {
  return (
    <DataTable
      name="mails"
      label="Mails"
      rows={mails}
      columns={MAIL_COLUMNS}
      rowId={({ id }) => id}
      href={({ id }) => hrefOf(id)}
      open={({ id }) => open(id)}
      openId={openId}
    />
  );
}

/** What became of a mail, and below what the SMTP server answered. */
function Status({ mail }: { mail: MailItem }) {
  const answer = answerInWords(mail);
  return (
    <div className={styles["status"]}>
      <MailMark mail={mail} />
      {answer !== undefined && (
        <Text size="xs" c="dimmed" style={{ overflowWrap: "anywhere" }}>
          {answer}
        </Text>
      )}
    </div>
  );
}
