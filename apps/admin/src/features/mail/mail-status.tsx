"use client";

import { Alert, Anchor, Text } from "@mantine/core";
import { IconInfoCircle } from "@tabler/icons-react";
import Link from "next/link";
import type { MailStatus as Status } from "@/trpc/types.ts";

/** Says where mail goes if not to an SMTP server, which only a restart changes. EM-02. */
export function MailStatus({ delivery }: Pick<Status, "delivery">) {
  if (delivery === "smtp") return null;
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
