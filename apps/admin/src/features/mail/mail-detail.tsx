"use client";

import { Anchor, Stack, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { Term, Terms } from "@/components/terms.tsx";
import { Timestamp } from "@/components/timestamp.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import type { MailItem } from "@/trpc/types.ts";
import { MailContent } from "./mail-content.tsx";
import styles from "./mail-detail.module.css";
import { isKeptHere, MailMark } from "./mail-mark.tsx";
import { answerInWords, kindInWords } from "./mail-words.ts";
import { RetryMail } from "./retry-mail.tsx";

/**
 * One mail: what became of it and, where no SMTP server is set, the mail itself. `place`: its own page, or the panel
 * beside the list.
 */
export function MailDetail({ mail, place }: { mail: MailItem; place: "page" | "peek" }) {
  const trpc = useTRPC();
  const { data: status } = useQuery(trpc.mails.status.queryOptions());
  return (
    <Stack gap="md">
      {place === "peek" && (
        <Title order={2} size="h4" style={{ overflowWrap: "anywhere" }}>
          {kindInWords(mail.kind)}
        </Title>
      )}
      <Terms>
        <Term name="Status">
          <MailMark mail={mail} />
          <Answer mail={mail} />
        </Term>
        <Term name="To">
          {mail.userId === null ? (
            <bdi>{mail.recipient}</bdi>
          ) : (
            <Anchor component={Link} href={`/users/${mail.userId}`} size="sm">
              {mail.recipient}
            </Anchor>
          )}
        </Term>
        <Term name="Written">
          <Timestamp at={mail.createdAt} seconds />
        </Term>
        {mail.sentAt !== null && !isKeptHere(mail) && (
          <Term name="Sent">
            <Timestamp at={mail.sentAt} seconds />
          </Term>
        )}
        {mail.expiresAt !== null && (
          <Term name="Useful until">
            <Timestamp at={mail.expiresAt} />
          </Term>
        )}
        <Term name="Attempts">{mail.attempts}</Term>
      </Terms>
      {mail.canRetry && (
        <div>
          <RetryMail mail={mail} />
        </div>
      )}
      {status?.delivery === "mailbox" && <MailContent id={mail.id} />}
    </Stack>
  );
}

/** What to do, then what the server answered. */
function Answer({ mail }: { mail: MailItem }) {
  const answer = mail.state === "sent" ? mail.answer : answerInWords(mail);
  return (
    <>
      {mail.advice !== null && <span className={styles["advice"]}>{mail.advice}</span>}
      {answer && <bdi className={styles["answer"]}>{answer}</bdi>}
    </>
  );
}
