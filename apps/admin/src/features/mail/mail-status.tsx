"use client";

import { Alert, Anchor, Text } from "@mantine/core";
import { IconInfoCircle } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useTRPC } from "@/trpc/client.tsx";
import type { MailStatus as Status } from "@/trpc/types.ts";

/** Says where mail goes if not to an SMTP server. `known`: as of the page's start, if it could be read. EM-02. */
export function MailStatus({ known }: { known: Status["delivery"] | undefined }) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.mails.status.queryOptions());
  const delivery = data?.delivery ?? known;
  if (delivery === undefined || delivery === "smtp") return null;
  return (
    <Alert variant="light" color="gray" icon={<IconInfoCircle aria-hidden="true" />} mb="md">
      <Text size="sm">
        {delivery === "mailbox" ? (
          <>
            No SMTP server is set up, so mails go to the{" "}
            <Anchor component={Link} href="/mailbox" size="sm" underline="always">
              mailbox
            </Anchor>
            .
          </>
        ) : (
          <>
            Mail is off. Set <code>GATEHOUSE_SMTP_URL</code> and <code>GATEHOUSE_MAIL_FROM</code>, then restart the
            server.
          </>
        )}
      </Text>
    </Alert>
  );
}
