"use client";

import { Anchor, Button, Group, Loader, Stack, Text } from "@mantine/core";
import { IconAlertCircle, IconCircleCheck, IconSend } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { useMe } from "@/components/me.tsx";
import { Permitted } from "@/components/permitted.tsx";
import { toastFailed } from "@/components/toasts.tsx";
import { isKeptHere } from "@/features/mail/mail-mark.tsx";
import { answerInWords } from "@/features/mail/mail-words.ts";
import { useTRPC } from "@/trpc/client.tsx";
import type { MailItem } from "@/trpc/types.ts";
import styles from "./settings.module.css";

const POLL_MS = 1_000;

/** Sends a mail to the admin's own address, and follows it until the SMTP server took it or said why not. CO-69. */
export function TestMail() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const { user } = useMe();
  const status = useQuery(trpc.mails.status.queryOptions());
  const send = useMutation(
    trpc.mails.sendTest.mutationOptions({
      onSuccess: () => queries.invalidateQueries(trpc.mails.status.pathFilter()),
      onError: (error) => toastFailed(error, "The test mail couldn’t be written"),
    }),
  );
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
        <p>Goes to your own address, with the settings that are saved.</p>
      </div>
      <div className={styles["rows"]}>
        <Group gap="sm">
          <Permitted reason={off ? "Save a mail server first." : undefined}>
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
          {send.data && mail.data && <Outcome mail={mail.data} />}
        </div>
      </div>
    </section>
  );
}

function Outcome({ mail }: { mail: MailItem }) {
  // The mail says itself whether a server took it: the settings may have changed since.
  if (isKeptHere(mail))
    return (
      <Text size="sm">
        No mail server is set, so it wasn’t sent. <MailLink mail={mail}>Read it here</MailLink>
      </Text>
    );
  if (mail.state === "sent")
    return (
      <Stack gap={4}>
        <Group gap={6} wrap="nowrap">
          <IconCircleCheck size={18} color="var(--mantine-color-green-7)" aria-hidden="true" />
          <Text size="sm">The mail server took it. See whether it arrives, also among spam.</Text>
        </Group>
        <Answer>{mail.answer}</Answer>
      </Stack>
    );
  if (mail.state === "queued" && mail.answer === null)
    return (
      <Group gap={8}>
        <Loader size={14} />
        <Text size="sm">Waiting for the mail server…</Text>
      </Group>
    );
  return (
    <Stack gap={4}>
      <Group gap={6} wrap="nowrap" align="flex-start">
        <IconAlertCircle size={18} color="var(--gh-danger)" aria-hidden="true" style={{ flex: "none" }} />
        <Text size="sm">
          {mail.advice ?? "The mail server did not take it."}
          {mail.state === "queued" &&
            " This mail is tried again by itself; after a change of the settings, send another."}
        </Text>
      </Group>
      <Answer>{answerInWords(mail)}</Answer>
      <Text size="sm">
        <MailLink mail={mail}>Open the mail</MailLink>
      </Text>
    </Stack>
  );
}

function MailLink({ mail, children }: { mail: MailItem; children: string }) {
  return (
    <Anchor component={Link} href={`/mail/${mail.id}`} size="sm" underline="always">
      {children}
    </Anchor>
  );
}

/** What the server said, word for word. */
function Answer({ children }: { children: string | null | undefined }) {
  if (!children) return null;
  return (
    <Text size="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>
      Its answer: <bdi>{children}</bdi>
    </Text>
  );
}
