"use client";

import { Button, Group, List, Paper, Text, Title } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck, IconCircleX } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { FormError } from "@/components/form-error.tsx";
import { useTRPC } from "@/trpc/client.tsx";

const ICONS = {
  ok: { Icon: IconCircleCheck, color: "var(--mantine-color-teal-6)", word: "Works" },
  warning: { Icon: IconAlertTriangle, color: "var(--mantine-color-yellow-6)", word: "Check" },
  failed: { Icon: IconCircleX, color: "var(--mantine-color-red-6)", word: "Failed" },
} as const;

/** Asks the provider whether the settings work, and shows each answer. */
export function TestConnection({ id }: { id: string }) {
  const trpc = useTRPC();
  const test = useMutation(trpc.signInProviders.test.mutationOptions({ meta: { errorShownInForm: true } }));
  return (
    <Paper withBorder p={{ base: "md", sm: "lg" }}>
      <Group justify="space-between" align="flex-start">
        <div>
          <Title order={2} size="h4">
            Connection
          </Title>
          <Text size="sm" c="dimmed" mt={4}>
            Reads the provider’s metadata and keys, and sends the client ID and secret. Signs nobody in.
          </Text>
        </div>
        <Button variant="default" loading={test.isPending} onClick={() => test.mutate({ id })}>
          Test connection
        </Button>
      </Group>
      <div aria-live="polite">
        {test.data && (
          <List listStyleType="none" mt="md" spacing={6} size="sm">
            {test.data.map(({ check, state, sentence }) => {
              const { Icon, color, word } = ICONS[state];
              return (
                <List.Item key={check} icon={<Icon size={18} color={color} aria-hidden="true" />}>
                  <strong>{word}:</strong> {sentence}
                </List.Item>
              );
            })}
          </List>
        )}
        <FormError error={test.error} />
      </div>
    </Paper>
  );
}
