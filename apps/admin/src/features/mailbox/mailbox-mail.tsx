"use client";

import { Anchor, Button, Group, SegmentedControl, Title } from "@mantine/core";
import { IconChevronLeft, IconExternalLink } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useState } from "react";
import { CopyText } from "@/components/code/code-panel.tsx";
import { LoadError, RowsSkeleton } from "@/components/state.tsx";
import { Timestamp } from "@/components/timestamp.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import styles from "./mailbox.module.css";

/** One mail as its recipient sees it, with its link and code at hand. */
export function MailboxMail({ id }: { id: string }) {
  const trpc = useTRPC();
  const [part, setPart] = useState<"html" | "text">("html");
  const { data: mail, error, refetch } = useQuery(trpc.mails.message.queryOptions({ id }));
  if (error) return <LoadError error={error} retry={refetch} />;
  if (!mail) return <RowsSkeleton rows={3} height={80} />;

  return (
    <article className={styles["mail"]} aria-labelledby="mail-subject">
      <Anchor component={Link} href="/mailbox" size="sm" className={styles["back"]}>
        <IconChevronLeft size={14} aria-hidden="true" /> All mails
      </Anchor>
      <Title order={2} size="h3" id="mail-subject" style={{ overflowWrap: "anywhere" }}>
        {mail.subject}
      </Title>
      <p className={styles["facts"]}>
        <span>
          To <bdi>{mail.recipient}</bdi>
        </span>
        <Timestamp at={mail.createdAt} seconds />
      </p>
      <Group gap="xs" justify="space-between">
        <Group gap="xs">
          {mail.link !== null && (
            <Button
              component="a"
              href={mail.link}
              target="_blank"
              rel="noreferrer"
              size="xs"
              leftSection={<IconExternalLink size={14} aria-hidden="true" />}
            >
              Open link
            </Button>
          )}
          {mail.link !== null && <CopyText text={mail.link} label="Copy link" />}
          {mail.code !== null && <CopyText text={mail.code} label={`Copy code ${mail.code}`} />}
        </Group>
        <SegmentedControl
          size="xs"
          aria-label="Part of the mail"
          value={part}
          onChange={(chosen) => setPart(chosen === "text" ? "text" : "html")}
          data={[
            { value: "html", label: "HTML" },
            { value: "text", label: "Text" },
          ]}
        />
      </Group>
      {part === "html" ? (
        <iframe
          title={mail.subject}
          className={styles["html"]}
          sandbox="allow-popups allow-popups-to-escape-sandbox"
          srcDoc={inNewTabs(mail.html)}
        />
      ) : (
        <pre className={styles["text"]} dir="auto">
          {mail.text}
        </pre>
      )}
    </article>
  );
}

/** The server's pages refuse to be framed, so links open beside the console. */
function inNewTabs(html: string): string {
  return html.replace("<head>", '<head><base target="_blank">');
}
