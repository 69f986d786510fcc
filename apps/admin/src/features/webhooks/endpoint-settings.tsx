"use client";

import { NativeSelect, Paper, Stack, Text, TextInput, Title } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import { ConflictDialog } from "@/components/conflict.tsx";
import { ENVIRONMENTS, environmentNames } from "@/components/environments.tsx";
import { FormError } from "@/components/form-error.tsx";
import { useMe } from "@/components/me.tsx";
import { SaveButtons } from "@/components/save-buttons.tsx";
import { toastChanged } from "@/components/toasts.tsx";
import { useCanChange } from "@/features/configuration/managed/lock-reason.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { fieldErrorsOf } from "@/trpc/errors.ts";
import type { Environment, WebhookEndpoint, WebhookProvider, WebhookSettingsField } from "@/trpc/types.ts";
import { crossesProduction, KeptSecrets } from "./kept-secrets.tsx";
import { SettingsFields, type SettingsValues, settingsFrom, valuesOf } from "./settings-fields.tsx";
import { useWebhooksChanged } from "./use-webhooks-changed.ts";

/** Name, environment and the settings that the provider's signatures need. */
export function EndpointSettings({ endpoint, facts }: { endpoint: WebhookEndpoint; facts: WebhookProvider }) {
  const trpc = useTRPC();
  const changed = useWebhooksChanged();
  const { can } = useMe();
  const { hide, reason } = useCanChange(endpoint.environment, endpoint.managed);
  const locked = hide || reason !== undefined;
  const isDefault = endpoint.slug === endpoint.provider;
  const fields = facts.settingsFields;
  const [read, setRead] = useState(endpoint);
  const [kept, setKept] = useState<string[]>([]);
  const form = useForm({ initialValues: formValuesOf(endpoint, fields) });
  function show(now: WebhookEndpoint): void {
    setRead(now);
    setKept([]);
    form.setInitialValues(formValuesOf(now, fields));
    form.setValues(formValuesOf(now, fields));
  }
  const showUnlessTyped = useEffectEvent((now: WebhookEndpoint) => {
    // What was typed stays; saving it then says who changed the endpoint
    if (!form.isDirty() && now.version !== read.version) show(now);
  });
  useEffect(() => showUnlessTyped(endpoint), [endpoint]);
  const save = useMutation(
    trpc.webhookEndpoints.update.mutationOptions({
      meta: { errorShownInForm: true },
      async onSuccess(now) {
        show(now);
        toastChanged("Settings saved.");
        await changed();
      },
      onError: (error) => form.setErrors(fieldErrorsOf(error)),
    }),
  );
  function send(input: Input, version: number): void {
    const keepSecrets = crossesProduction(read.environment, input.environment) ? { keepSecrets: kept } : {};
    save.mutate({ slug: endpoint.slug, version, ...input, ...keepSecrets });
  }
  // What a save changes: production also when the endpoint leaves it, or goes there.
  const shownIn = [read.environment, form.values.environment].includes("production")
    ? "production"
    : form.values.environment;
  const environments = environmentNames.filter((name) => name !== "production" || can.manageProduction || locked);
  return (
    <Paper withBorder p={{ base: "md", sm: "lg" }}>
      <Title order={2} size="h4" mb="xs">
        Settings
      </Title>
      <form onSubmit={form.onSubmit((values) => send(inputFrom(values, fields), read.version))}>
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
            disabled={locked || isDefault}
            {...(isDefault && { description: "The endpoint that is named like its provider is always production’s." })}
            {...form.getInputProps("environment")}
          />
          {read.forward && crossesProduction(read.environment, form.values.environment) && (
            <Text size="sm">The move stops forwarding. Set it up again afterwards.</Text>
          )}
          {crossesProduction(read.environment, form.values.environment) && (
            <KeptSecrets slug={endpoint.slug} to={form.values.environment} kept={kept} onChange={setKept} />
          )}
          <SettingsFields
            fields={fields}
            disabled={locked}
            inputProps={(name, type) => form.getInputProps(`settings.${name}`, { type })}
          />
          {facts.toleranceSeconds !== null && (
            <Text size="xs" c="dimmed">
              The default tolerance of {facts.name} is {facts.toleranceSeconds} seconds.
            </Text>
          )}
          <FormError
            error={save.error}
            shownAt={["name", "environment", ...fields.map(({ name }) => `settings.${name}`)]}
          />
          {!locked && <SaveButtons form={form} saving={save.isPending} environment={shownIn} />}
        </Stack>
      </form>
      <ConflictDialog<Input>
        error={save.error}
        base={inputFrom(formValuesOf(read, fields), fields)}
        mine={inputFrom(form.values, fields)}
        labelOf={(field) => LABELS[field] ?? fields.find(({ name }) => field === `settings.${name}`)?.label ?? field}
        save={(input, version) => {
          form.setValues({ ...input, name: input.name ?? "", settings: valuesOf(fields, input.settings) });
          send(input, version);
        }}
      />
    </Paper>
  );
}

const LABELS: Readonly<Record<string, string>> = { name: "Name", environment: "Environment of its events" };

type FormValues = { name: string; environment: Environment; settings: SettingsValues };
type Fields = readonly WebhookSettingsField[];

const formValuesOf = ({ name, environment, settings }: WebhookEndpoint, fields: Fields): FormValues => ({
  name: name ?? "",
  environment,
  settings: valuesOf(fields, settings),
});

/** What a save sends. */
function inputFrom({ name, environment, settings }: FormValues, fields: Fields) {
  return { name: name.trim() || null, environment, settings: settingsFrom(fields, settings) };
}
type Input = ReturnType<typeof inputFrom>;
