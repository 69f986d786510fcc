"use client";

import { Alert, Anchor, Text } from "@mantine/core";
import { IconInfoCircle } from "@tabler/icons-react";
import Link from "next/link";
import type { MailStatus as Status } from "@/trpc/types.ts";

/** Says where mail goes if not to an SMTP server. EM-02. */
export function MailStatus({ delivery }: { delivery: Status["delivery"] | undefined }) {
  if (delivery === undefined || delivery === "smtp") return null;
  return (
    <Alert variant="light" color="gray" icon={<IconInfoCircle aria-hidden="true" />} mb="md">
      <Text size="sm">
        {delivery === "mailbox"
          ? "No mail server is set, so nothing is sent. Open a mail here to read it and to use its link or code."
          : "Mail is off, because no mail server is set."}{" "}
        <Anchor component={Link} href="/settings/mail" size="sm" underline="always">
          Set up a mail server
        </Anchor>
      </Text>
    </Alert>
  );
}
