"use client";

import { Anchor, Button, Group, Loader, Text } from "@mantine/core";
import { IconCircleCheck, IconSend } from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useMe } from "@/components/me.tsx";
import { Permitted } from "@/components/permitted.tsx";
import { toastFailed } from "@/components/toasts.tsx";
import { answerInWords } from "@/features/mail/mail-words.ts";
import { useTRPC } from "@/trpc/client.tsx";
import styles from "./settings.module.css";

const POLL_MS = 1_000;

/** Sends a mail to the admin's own address, and follows it until the SMTP server took it or said why not. CO-69. */
export function TestMail() {
  const trpc = useTRPC();
  const { user } = useMe();
  const status = useQuery(trpc.mails.status.queryOptions());
  const send = useMutation(trpc.mails.sendTest.mutationOptions({ onError: (error) => toastFailed(error) }));
  const mail = useQuery({
    ...trpc.mails.get.queryOptions({ id: send.data?.id ?? "" }),
    enabled: send.data !== undefined,
    refetchInterval: ({ state }) => (state.data?.state === "queued" || state.data === undefined ? POLL_MS : false),
  });
  const off = status.data?.delivery === "off";
  const waiting = send.isPending || (send.data !== undefined && mail.data?.state === undefined);
  return (
    <section className={styles["section"]} aria-label="Test mail">
      <div>
        <h2>Test mail</h2>
        <p>Goes to your own address.</p>
      </div>
      <div className={styles["rows"]}>
        <Group gap="sm">
          <Permitted
            reason={
              off ? "Mail is off. Set GATEHOUSE_SMTP_URL and GATEHOUSE_MAIL_FROM, then restart the server." : undefined
            }
          >
            <Button
              variant="default"
              leftSection={<IconSend size={16} aria-hidden="true" />}
              loading={waiting}
              onClick={() => send.mutate()}
            >
              Send to {user.email}
            </Button>
          </Permitted>
        </Group>
        <div role="status" aria-live="polite">
          {send.data && mail.data && <Outcome mail={mail.data} inMailbox={status.data?.delivery === "mailbox"} />}
        </div>
        {status.data?.trouble && (
          <Text size="sm" c="red.8">
            The SMTP server isn’t accepting mail. Its last answer: <bdi>{status.data.trouble.answer ?? "none"}</bdi>
          </Text>
        )}
      </div>
    </section>
  );
}

type Mail = { state: "queued" | "sent" | "failed" | "expired" | "dropped"; answer: string | null };

function Outcome({ mail, inMailbox }: { mail: Mail; inMailbox: boolean }) {
  if (mail.state === "sent")
    return (
      <Group gap={6}>
        <IconCircleCheck size={18} color="var(--mantine-color-green-7)" aria-hidden="true" />
        <Text size="sm">
          {inMailbox ? (
            <>
              It’s in the{" "}
              <Anchor component={Link} href="/mailbox" size="sm" underline="always">
                mailbox
              </Anchor>
              : no SMTP server is set up.
            </>
          ) : (
            "The SMTP server took the mail. See whether it arrives, also among spam."
          )}
        </Text>
      </Group>
    );
  if (mail.state === "queued")
    return (
      <Group gap={8}>
        <Loader size={14} />
        <Text size="sm">
          {mail.answer === null ? (
            "Waiting for the SMTP server…"
          ) : (
            <>
              Not taken yet; it’s tried again. The server answered: <bdi>{mail.answer}</bdi>
            </>
          )}
        </Text>
      </Group>
    );
  return <Text size="sm">Not sent. {answerInWords(mail)}</Text>;
}
