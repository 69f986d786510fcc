"use client";

import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { modals } from "@mantine/modals";
import { IconAlertTriangle } from "@tabler/icons-react";
import { CopyValue } from "@/components/copy-value.tsx";

/** Shows a client secret, this once. It closes on purpose only: neither Escape nor a click beside it loses the secret. */
export function showSecret(secret: string): void {
  const modalId = modals.open({
    title: "Client secret",
    closeOnClickOutside: false,
    closeOnEscape: false,
    withCloseButton: false,
    // What opened it is a form that goes away, perhaps only after this has closed: the focus must not go back there.
    returnFocus: false,
    onClose: () => document.getElementById("main")?.focus({ preventScroll: true }),
    size: "lg",
    children: (
      <Stack>
        <Alert variant="light" color="yellow" icon={<IconAlertTriangle aria-hidden="true" />}>
          <Text size="sm">This is the only time it can be shown: Gatehouse keeps a hash of it. Store it now, in your secret manager.</Text>
        </Alert>
        <CopyValue value={secret} what="client secret" testId="client-secret" />
        <Group justify="flex-end">
          <Button onClick={() => modals.close(modalId)} data-autofocus>
            Done
          </Button>
        </Group>
      </Stack>
    ),
  });
}
