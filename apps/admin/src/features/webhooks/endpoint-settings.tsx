"use client";

import { NativeSelect, Paper, Stack, Text, TextInput, Title } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { ENVIRONMENTS, environmentNames } from "@/components/environments.tsx";
import { FormError } from "@/components/form-error.tsx";
import { useMe } from "@/components/me.tsx";
import { SaveButtons } from "@/components/save-buttons.tsx";
import { toastChanged } from "@/components/toasts.tsx";
import { useCanChange } from "@/features/managed/lock-reason.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { fieldErrorsOf } from "@/trpc/errors.ts";
import type { WebhookEndpoint, WebhookProvider } from "@/trpc/types.ts";
import { SettingsFields, settingsFrom, valuesOf } from "./settings-fields.tsx";
import { useWebhooksChanged } from "./use-webhooks-changed.ts";

/** Name, environment and the settings that the provider's signatures need. */
export function EndpointSettings({ endpoint, facts }: { endpoint: WebhookEndpoint; facts: WebhookProvider }) {
  const trpc = useTRPC();
  const changed = useWebhooksChanged();
  const { can } = useMe();
  const { hide, reason } = useCanChange(endpoint.environment, endpoint.managed);
  const locked = hide || reason !== undefined;
  const fields = facts.settingsFields;
  const form = useForm({
    initialValues: {
      ...{ name: endpoint.name ?? "", environment: endpoint.environment },
      settings: valuesOf(fields, endpoint.settings),
    },
  });
  const save = useMutation(
    trpc.webhookEndpoints.update.mutationOptions({
      meta: { errorShownInForm: true },
      async onSuccess() {
        toastChanged("Settings saved.");
        await changed();
      },
      onError: (error) => form.setErrors(fieldErrorsOf(error)),
    }),
  );
  const environments = environmentNames.filter((name) => name !== "production" || can.manageProduction || locked);
  return (
    <Paper withBorder p={{ base: "md", sm: "lg" }}>
      <Title order={2} size="h4" mb="xs">
        Settings
      </Title>
      <form
        onSubmit={form.onSubmit(({ settings, ...values }) =>
          save.mutate({ slug: endpoint.slug, ...values, settings: settingsFrom(fields, settings) }),
        )}
      >
        <Stack maw={560}>
          <TextInput
            label="Name"
            description="Only your team sees this."
            maxLength={80}
            autoComplete="off"
            disabled={locked}
            {...form.getInputProps("name")}
          />
          <NativeSelect
            label="Environment of its events"
            data={environments.map((name) => ({ value: name, label: ENVIRONMENTS[name].label }))}
            disabled={locked}
            {...form.getInputProps("environment")}
          />
          <SettingsFields fields={fields} disabled={locked} inputProps={(name, type) => form.getInputProps(`settings.${name}`, { type })} />
          {facts.toleranceSeconds !== null && (
            <Text size="xs" c="dimmed">
              The default tolerance of {facts.name} is {facts.toleranceSeconds} seconds.
            </Text>
          )}
          <FormError error={save.error} shownAt={["name", "environment", ...fields.map(({ name }) => `settings.${name}`)]} />
          {!locked && <SaveButtons form={form} saving={save.isPending} />}
        </Stack>
      </form>
    </Paper>
  );
}
