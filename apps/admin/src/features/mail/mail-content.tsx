"use client";

import { Button, Group, SegmentedControl, Stack } from "@mantine/core";
import { IconExternalLink } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { CopyText } from "@/components/code/code-panel.tsx";
import { LoadError, RowsSkeleton } from "@/components/state.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { statusOf } from "@/trpc/errors.ts";
import styles from "./mail-detail.module.css";

/**
 * A mail as its recipient would see it, with its link and code at hand: where no SMTP server is set, this is how it is
 * read. Nothing for a mail that was not to be sent. EM-02.
 */
export function MailContent({ id }: { id: string }) {
  const trpc = useTRPC();
  const [part, setPart] = useState<"html" | "text">("html");
  const { data: mail, error, refetch } = useQuery(trpc.mails.message.queryOptions({ id }));
  if (statusOf(error) === 404) return null;
  if (error) return <LoadError error={error} retry={refetch} />;
  if (!mail) return <RowsSkeleton rows={3} height={80} />;

  return (
    <Stack gap="sm">
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
    </Stack>
  );
}

/** The server's pages refuse to be framed, so links open beside the console. */
function inNewTabs(html: string): string {
  return html.replace("<head>", '<head><base target="_blank">');
}
