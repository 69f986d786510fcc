"use client";

import { Button, Group, Modal, NativeSelect, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { ENVIRONMENTS, environmentNames } from "@/components/environments.tsx";
import { FormError } from "@/components/form-error.tsx";
import { useMe } from "@/components/me.tsx";
import { useOpenedLate } from "@/components/use-opened-late.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { fieldErrorsOf } from "@/trpc/errors.ts";
import type { Environment, WebhookProvider } from "@/trpc/types.ts";
import { SettingsFields, settingsFrom } from "./settings-fields.tsx";
import { useWebhooksChanged } from "./use-webhooks-changed.ts";

type Props = {
  opened: boolean;
  close: () => void;
  providers: WebhookProvider[];
  /** The provider that the form starts with. */
  provider: string | null;
  /** The endpoints that exist. */
  taken: readonly string[];
};

export function NewEndpoint({ opened, ...form }: Props) {
  return (
    <Modal opened={useOpenedLate(opened)} onClose={form.close} title="New endpoint" size="lg">
      <NewEndpointForm {...form} />
    </Modal>
  );
}

/** The provider's default endpoint in production; elsewhere named after the environment. Empty if it exists. */
function suggestedSlug(provider: string, environment: Environment, taken: readonly string[]): string {
  const slug = environment === "production" ? provider : `${provider}-${environment}`;
  return taken.includes(slug) ? "" : slug;
}

function NewEndpointForm({ close, providers, provider, taken }: Omit<Props, "opened">) {
  const trpc = useTRPC();
  const changed = useWebhooksChanged();
  const router = useRouter();
  const { can } = useMe();
  const environments = environmentNames.filter((name) => name !== "production" || can.manageProduction);
  const start = {
    provider: providers.find((one) => one.provider === provider)?.provider ?? "stripe",
    environment: "development" as Environment,
  };
  const form = useForm({
    initialValues: {
      ...start,
      slug: suggestedSlug(start.provider, start.environment, taken),
      name: "",
      settings: {} as Record<string, string | boolean>,
    },
  });
  const suggest = (change: Partial<typeof start>) => {
    const before = form.getValues();
    const after = { ...before, ...change };
    const slug = suggestedSlug(after.provider, after.environment, taken);
    const untouched = before.slug === suggestedSlug(before.provider, before.environment, taken);
    form.setValues({ ...change, ...(untouched && { slug }) });
  };
  const create = useMutation(
    trpc.webhookEndpoints.create.mutationOptions({
      meta: { errorShownInForm: true },
      async onSuccess({ slug }) {
        await changed();
        close();
        router.push(`/webhooks/${slug}`);
      },
      onError: (error) => form.setErrors(fieldErrorsOf(error)),
    }),
  );
  const chosen = providers.find(({ provider }) => provider === form.values.provider);
  // Only what the provider cannot work without; the rest is on the endpoint's page.
  const fields =
    chosen?.provider === "custom" ? chosen.settingsFields.filter(({ name }) => name !== "toleranceSeconds") : [];
  return (
    <form
      onSubmit={form.onSubmit(({ settings, ...values }) =>
        create.mutate({ ...values, ...(fields.length > 0 && { settings: settingsFrom(fields, settings) }) }),
      )}
    >
      <Stack>
        <NativeSelect
          label="Provider"
          data={providers.map(({ provider, name }) => ({ value: provider, label: name }))}
          data-autofocus
          {...form.getInputProps("provider")}
          onChange={({ currentTarget: { value } }) => suggest({ provider: value })}
        />
        <NativeSelect
          label="Environment"
          description="The environment whose events the provider sends here."
          data={environments.map((name) => ({ value: name, label: ENVIRONMENTS[name].label }))}
          {...form.getInputProps("environment")}
          onChange={({ currentTarget: { value } }) => suggest({ environment: value as Environment })}
        />
        <TextInput
          label="Last part of the URL"
          description="Lower-case letters, digits and hyphens. It can’t be changed later."
          placeholder={`${form.values.provider}-2`}
          leftSection="/api/webhooks/"
          leftSectionWidth={118}
          leftSectionProps={{ style: { fontSize: 12.5, color: "var(--mantine-color-dimmed)" } }}
          required
          maxLength={63}
          autoComplete="off"
          spellCheck={false}
          {...form.getInputProps("slug")}
        />
        <TextInput
          label="Name"
          description="Only your team sees this."
          maxLength={80}
          autoComplete="off"
          {...form.getInputProps("name")}
        />
        <SettingsFields fields={fields} inputProps={(name, type) => form.getInputProps(`settings.${name}`, { type })} />
        <FormError
          error={create.error}
          shownAt={["provider", "slug", "name", "environment", ...fields.map(({ name }) => `settings.${name}`)]}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending}>
            Create endpoint
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
