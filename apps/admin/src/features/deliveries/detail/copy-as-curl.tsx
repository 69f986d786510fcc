"use client";

import { Button, Modal, Skeleton, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconTerminal2 } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { CodePanel } from "@/components/code/code-panel.tsx";
import { useConfirmed } from "@/components/confirm-identity.tsx";
import { CopyValue } from "@/components/copy-value.tsx";
import { FormError } from "@/components/form-error.tsx";
import { UntilPageHides } from "@/components/until-page-hides.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import type { Delivery } from "@/trpc/types.ts";

/** The delivery as a curl command for a local server, signed with a test secret. */
export function CopyAsCurl({ delivery: { id, environment, endpoint } }: { delivery: Delivery }) {
  const trpc = useTRPC();
  const [opened, dialog] = useDisclosure();
  const confirmed = useConfirmed();
  const curl = useMutation(trpc.deliveries.curl.mutationOptions({ gcTime: 0, meta: { errorShownInForm: true } }));

  function open(): void {
    dialog.open();
    curl.mutate({ id });
  }
  return (
    <>
      <Button
        size="sm"
        variant="default"
        leftSection={<IconTerminal2 size={16} aria-hidden="true" />}
        onClick={() => (environment === "production" ? confirmed(open) : open())}
      >
        Copy as curl
      </Button>
      <Modal
        opened={opened}
        onClose={dialog.close}
        onExitTransitionEnd={curl.reset}
        title="Send this delivery to a local server"
        size="xl"
      >
        <FormError error={curl.error} />
        {curl.isPending && <Skeleton height={220} radius="md" role="status" aria-label="Loading" />}
        {curl.data !== undefined &&
          ("problem" in curl.data ? (
            <Text size="sm">{curl.data.problem}</Text>
          ) : (
            <Command {...curl.data} endpoint={endpoint} />
          ))}
      </Modal>
    </>
  );
}

function Command({ command, secret, endpoint }: { command: string; secret: string; endpoint: string }) {
  return (
    <Stack gap="sm">
      <Text size="sm">
        The command is signed with a test secret that was made for it, so it can’t be used against any real endpoint.
        Add the secret to the endpoint <code>{endpoint}</code> of your local server first:
      </Text>
      <UntilPageHides>
        <CopyValue value={secret} what="test secret" testId="test-secret" />
      </UntilPageHides>
      <CodePanel what="command" text={command} />
    </Stack>
  );
}
