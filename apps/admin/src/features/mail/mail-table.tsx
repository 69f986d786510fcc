"use client";

import { Anchor, Button, Text } from "@mantine/core";
import { IconAlertCircle, IconCheck, IconClock, IconMinus } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import type { Column } from "@/components/table/columns.ts";
import { DataTable } from "@/components/table/data-table.tsx";
import { Timestamp } from "@/components/timestamp.tsx";
import { toastChanged } from "@/components/toasts.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import type { MailItem } from "@/trpc/types.ts";
import styles from "./mail-table.module.css";
import { answerInWords, kindInWords, MAIL_STATE_WORDS } from "./mail-words.ts";

/** The columns of the outbox. */
export const MAIL_COLUMNS: readonly Column<MailItem>[] = [
  {
    id: "created",
    title: "Written",
    time: true,
    render: ({ createdAt }) => <Timestamp at={createdAt} brief seconds />,
  },
  { id: "mail", title: "Mail", render: (mail) => <Mail mail={mail} /> },
  { id: "status", title: "Status", render: (mail) => <Status mail={mail} /> },
  { id: "retry", title: "Action", render: (mail) => (mail.canRetry ? <Retry mail={mail} /> : null) },
];

export function MailTable({ mails }: { mails: MailItem[] }) {
  return <DataTable name="mails" label="Mails" rows={mails} columns={MAIL_COLUMNS} rowId={({ id }) => id} />;
}

function Mail({ mail }: { mail: MailItem }) {
  return (
    <div className={styles["mail"]}>
      <Text size="sm">{kindInWords(mail.kind)}</Text>
      <Recipient mail={mail} />
    </div>
  );
}

function Recipient({ mail: { recipient, userId } }: { mail: MailItem }) {
  if (userId === null) return <span className={styles["recipient"]}>{recipient}</span>;
  return (
    <Anchor component={Link} href={`/users/${userId}`} size="sm" className={styles["recipient"]}>
      {recipient}
    </Anchor>
  );
}

const ICONS = { queued: IconClock, sent: IconCheck, failed: IconAlertCircle, expired: IconMinus, dropped: IconMinus };

/**
 * An icon and a word, and below what the SMTP server answered. Only a failure has a colour: somebody must act on it.
 */
function Status({ mail }: { mail: MailItem }) {
  const Icon = ICONS[mail.state];
  const answer = answerInWords(mail);
  return (
    <div className={styles["status"]}>
      <span className={styles["mark"]} data-state={mail.state}>
        <Icon size={15} stroke={1.8} aria-hidden="true" />
        {MAIL_STATE_WORDS[mail.state]}
        {mail.state === "queued" &&
          mail.attempts > 0 &&
          ` after ${mail.attempts === 1 ? "one attempt" : `${mail.attempts} attempts`}`}
      </span>
      {answer !== undefined && (
        <Text size="xs" c="dimmed" style={{ overflowWrap: "anywhere" }}>
          {answer}
        </Text>
      )}
    </div>
  );
}

function Retry({ mail: { id, recipient } }: { mail: MailItem }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const retry = useMutation(
    trpc.mails.retry.mutationOptions({
      async onSuccess() {
        await queries.invalidateQueries(trpc.mails.list.pathFilter());
        toastChanged(`The mail to ${recipient} is sent again.`);
      },
    }),
  );
  return (
    <Button size="compact-sm" variant="default" loading={retry.isPending} onClick={() => retry.mutate({ id })}>
      Send again
    </Button>
  );
}
