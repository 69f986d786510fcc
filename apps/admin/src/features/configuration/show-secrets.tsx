"use client";

import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { modals } from "@mantine/modals";
import { IconAlertTriangle } from "@tabler/icons-react";
import { CopyValue } from "@/components/copy-value.tsx";
import { UntilPageHides } from "@/components/until-page-hides.tsx";
import type { GeneratedSecret } from "@/trpc/types.ts";

/** Shows secrets that were made, once. Only its button closes it. CO-91. */
export function showSecrets(secrets: readonly GeneratedSecret[]): void {
  const modalId = modals.open({
    title: secrets.length === 1 ? "A new secret" : `${secrets.length} new secrets`,
    closeOnClickOutside: false,
    closeOnEscape: false,
    withCloseButton: false,
    size: "lg",
    children: (
      <Stack>
        <Alert variant="light" color="yellow" icon={<IconAlertTriangle aria-hidden="true" />}>
          <Text size="sm">Copy what you need now. Gatehouse does not show it again.</Text>
        </Alert>
        {secrets.map(({ name, secret }) => (
          <div key={name}>
            <Text size="sm" fw={500}>
              <bdi>{name}</bdi>
            </Text>
            <UntilPageHides>
              <CopyValue value={secret} what={`secret of ${name}`} testId="new-secret" />
            </UntilPageHides>
          </div>
        ))}
        <Group justify="flex-end">
          <Button onClick={() => modals.close(modalId)} data-autofocus>
            Done
          </Button>
        </Group>
      </Stack>
    ),
  });
}
