"use client";

import { Alert, Anchor, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { usePathname } from "next/navigation";
import type { ReactNode } from "react";
import { useMe } from "@/components/me.tsx";
import { Timestamp } from "@/components/timestamp.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import type { MailStatus } from "@/trpc/types.ts";

const POLL_MS = 60_000;

/**
 * Tells admins, on every page, that mails are held back or that the SMTP server takes none. Ends by itself. AB-07,
 * EM-03.
 */
export function MailAlarm() {
  const { can } = useMe();
  const trpc = useTRPC();
  const { data } = useQuery({
    ...trpc.mails.status.queryOptions(),
    refetchInterval: POLL_MS,
    enabled: can.manageUsers,
  });
  return (
    <>
      {data?.trouble && <NotTaken trouble={data.trouble} />}
      {data !== undefined && data.burstSeconds > 0 && <HeldBack minutes={Math.ceil(data.burstSeconds / 60)} />}
    </>
  );
}

function NotTaken({ trouble: { since, mails, answer, advice } }: { trouble: NonNullable<MailStatus["trouble"]> }) {
  return (
    <Alarm title="The SMTP server isn’t accepting mail" page={{ href: "/doctor", label: "Open Doctor" }}>
      {mails === 1 ? "One mail waits" : `${mails} mails wait`} since <Timestamp at={since} brief />. They’re sent as
      soon as it takes mail again, for up to two and a half hours.
      {advice !== null && ` ${advice}`}
      {answer !== null && (
        <>
          {" "}
          Its last answer: <bdi style={{ overflowWrap: "anywhere" }}>{answer}</bdi>
        </>
      )}
    </Alarm>
  );
}

function HeldBack({ minutes }: { minutes: number }) {
  return (
    <Alarm
      title="Sign-up, reset and sign-in mails are held back"
      page={{ href: "/settings/mail", label: "Open settings" }}
    >
      More were requested than may be sent in an hour, perhaps by an attack. They’re sent again in{" "}
      {minutes === 1 ? "a minute" : `${minutes} minutes`}. Security notices still go out.
    </Alarm>
  );
}

type Page = { href: string; label: string };

function Alarm({ title, page, children }: { title: string; page?: Page; children: ReactNode }) {
  const pathname = usePathname();
  const pages = [{ href: "/mail", label: "Open Mail" }, ...(page ? [page] : [])].filter(
    ({ href }) => href !== pathname,
  );
  return (
    <Alert variant="light" color="red" icon={<IconAlertTriangle aria-hidden="true" />} title={title} mb="md">
      <Text size="sm">
        {children}
        {pages.map(({ href, label }) => (
          <Anchor key={href} component={Link} href={href} size="sm" ms="sm" style={{ whiteSpace: "nowrap" }}>
            {label}
          </Anchor>
        ))}
      </Text>
    </Alert>
  );
}
