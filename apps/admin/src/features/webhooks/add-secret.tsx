"use client";

import { Alert, Button, Group, Modal, NativeSelect, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { FormError } from "@/components/form-error.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { fieldErrorsOf } from "@/trpc/errors.ts";
import type { WebhookEndpoint, WebhookProvider, WebhookSecret } from "@/trpc/types.ts";
import { useWebhooksChanged } from "./use-webhooks-changed.ts";

type Props = {
  opened: boolean;
  close: () => void;
  endpoint: WebhookEndpoint;
  facts?: WebhookProvider;
  /** Called with what the admin should know about the new secret. */
  added: (warnings: string[]) => void;
};

export function AddSecret({ opened, close, ...rest }: Props) {
  return (
    <Modal opened={opened} onClose={close} title="Add a secret">
      <AddSecretForm close={close} {...rest} />
    </Modal>
  );
}

function AddSecretForm({ close, endpoint, facts, added }: Omit<Props, "opened">) {
  const trpc = useTRPC();
  const changed = useWebhooksChanged();
  const form = useForm({
    initialValues: { kind: "signing" as Exclude<WebhookSecret["kind"], "forwarding">, secret: "", name: "" },
  });
  const add = useMutation(
    trpc.webhookSecrets.add.mutationOptions({
      meta: { errorShownInForm: true },
      async onSuccess({ warnings }) {
        added(warnings);
        close();
        await changed();
      },
      onError: (error) => form.setErrors(fieldErrorsOf(error)),
    }),
  );
  const { kind, secret } = form.values;
  const padded = secret !== secret.trim();
  return (
    <form
      onSubmit={form.onSubmit(({ name, ...values }) =>
        add.mutate({ endpoint: endpoint.slug, ...values, ...(name.trim() !== "" && { name }) }),
      )}
    >
      <Stack>
        <NativeSelect
          label="Kind"
          description={
            kind === "signing"
              ? "Verifies the deliveries."
              : "Calls the provider’s API, to fetch events that never came. It verifies nothing."
          }
          data={[
            { value: "signing", label: "Signing secret" },
            { value: "api_key", label: "API key" },
          ]}
          {...form.getInputProps("kind")}
        />
        <PasswordInput
          label="Secret"
          description={
            kind === "signing" && facts
              ? `${facts.name}: ${facts.secretHelp}`
              : "Stored encrypted. It’s never shown again."
          }
          required
          maxLength={500}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
          {...form.getInputProps("secret")}
        />
        {padded && (
          <Alert color="yellow" variant="light" p="xs">
            <Text size="sm">The white space around the secret will be removed.</Text>
          </Alert>
        )}
        <TextInput
          label="Name"
          description="To recognize it by, such as the month."
          maxLength={80}
          autoComplete="off"
          {...form.getInputProps("name")}
        />
        <FormError error={add.error} shownAt={["kind", "secret", "name"]} />
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={add.isPending}>
            {endpoint.environment === "production" ? "Add secret in production" : "Add secret"}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
