"use client";

import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconSend } from "@tabler/icons-react";
import { useMe } from "@/components/me.tsx";
import { onDemand } from "@/components/on-demand.tsx";
import { Permitted } from "@/components/permitted.tsx";
import { useOpenedByLink } from "@/components/use-opened-by-link.ts";

const SendTestEvent = onDemand(() => import("./send-test-event.tsx").then((module) => module.SendTestEvent));

type Props = {
  /** The endpoint that the dialog starts with. */
  slug?: string | undefined;
  /** Why nothing can be sent to it. */
  reason?: string | undefined;
  sent?: () => void;
};

/** Opens the dialog that sends a test event. Not drawn for those who may change no endpoint. */
export function SendTestEventButton({ slug, reason, sent }: Props) {
  const { can } = useMe();
  const [opened, dialog] = useDisclosure();
  useOpenedByLink("send", () => can.manageDevelopment && reason === undefined && dialog.open());
  if (!can.manageDevelopment) return null;
  return (
    <>
      <Permitted reason={reason}>
        <Button variant="default" leftSection={<IconSend size={16} aria-hidden="true" />} onClick={dialog.open}>
          Send a test event
        </Button>
      </Permitted>
      <SendTestEvent opened={opened} close={dialog.close} slug={slug} {...(sent && { sent })} />
    </>
  );
}
