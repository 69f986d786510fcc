"use client";

import type { RouterOutputs } from "@gatehouse/console/types";
import { Alert, Button, Collapse, Group, Paper, PasswordInput, Stack, Text, Textarea, Title } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useDisclosure } from "@mantine/hooks";
import { useMutation } from "@tanstack/react-query";
import { FormError } from "@/components/form-error.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { fieldErrorsOf } from "@/trpc/errors.ts";
import type { WebhookEndpoint, WebhookProvider } from "@/trpc/types.ts";
import { settingsFrom, valuesOf } from "./settings-fields.tsx";

const FIELDS = ["secret", "headers", "body"];

/**
 * Verifies a captured delivery with the saved settings, so that a scheme can be tried before events depend on it.
 * Stores nothing.
 */
export function TestSample({ endpoint, facts }: { endpoint: WebhookEndpoint; facts: WebhookProvider }) {
  const trpc = useTRPC();
  const [opened, { toggle }] = useDisclosure();
  const form = useForm({ initialValues: { secret: "", headers: "", body: "" } });
  const check = useMutation(
    trpc.webhookEndpoints.testSample.mutationOptions({
      meta: { errorShownInForm: true },
      onError: (error) => form.setErrors(fieldErrorsOf(error)),
    }),
  );
  const { slug, provider } = endpoint;
  const settings = settingsFrom(facts.settingsFields, valuesOf(facts.settingsFields, endpoint.settings));
  return (
    <Paper withBorder p={{ base: "md", sm: "lg" }} component="section" aria-label="Test a sample">
      <Group justify="space-between">
        <div>
          <Title order={2} size="h4">
            Test a sample
          </Title>
          <Text size="sm" c="dimmed">
            Check a delivery that you captured against the saved settings. Nothing is stored.
          </Text>
        </div>
        <Button variant="default" size="xs" onClick={toggle} aria-expanded={opened}>
          {opened ? "Close" : "Test a sample"}
        </Button>
      </Group>
      <Collapse expanded={opened}>
        <form onSubmit={form.onSubmit((values) => check.mutate({ slug, provider, settings, ...values }))}>
          <Stack maw={680} mt="md">
            <PasswordInput
              label="Secret"
              required
              maxLength={500}
              autoComplete="off"
              {...form.getInputProps("secret")}
            />
            <Textarea
              label="Headers"
              description="One on each line, like Name: value."
              autosize
              minRows={3}
              maxRows={10}
              spellCheck={false}
              styles={{ input: { fontFamily: "var(--gh-font-mono)", fontSize: 12.5 } }}
              {...form.getInputProps("headers")}
            />
            <Textarea
              label="Body"
              description="Every byte counts: paste it as it was received."
              autosize
              minRows={4}
              maxRows={16}
              spellCheck={false}
              styles={{ input: { fontFamily: "var(--gh-font-mono)", fontSize: 12.5 } }}
              {...form.getInputProps("body")}
            />
            <FormError error={check.error} shownAt={FIELDS} />
            {check.data && <Verdict verdict={check.data} />}
            <Group>
              <Button type="submit" loading={check.isPending}>
                Check the signature
              </Button>
            </Group>
          </Stack>
        </form>
      </Collapse>
    </Paper>
  );
}

function Verdict({ verdict }: { verdict: RouterOutputs["webhookEndpoints"]["testSample"] }) {
  const { matches, message, eventType, eventId } = verdict;
  return (
    <Alert color={matches ? "teal" : "red"} variant="light" role="status" data-testid="verdict">
      <Text size="sm">{message}</Text>
      {(eventType !== null || eventId !== null) && (
        <Text size="xs" c="dimmed" style={{ overflowWrap: "anywhere" }}>
          Event: {eventType ?? "no type"} · {eventId ?? "no id"}
        </Text>
      )}
    </Alert>
  );
}
