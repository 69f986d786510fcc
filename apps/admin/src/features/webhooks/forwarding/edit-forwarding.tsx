"use client";

import { Button, Group, Modal, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { inPlace } from "@/components/environments.tsx";
import { FormError } from "@/components/form-error.tsx";
import { toastChanged } from "@/components/toasts.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { fieldErrorsOf } from "@/trpc/errors.ts";
import type { WebhookEndpoint } from "@/trpc/types.ts";
import { useWebhooksChanged } from "../use-webhooks-changed.ts";
import { showForwardingSecret } from "./show-forwarding-secret.ts";

type Props = { endpoint: WebhookEndpoint; opened: boolean; close: () => void };

/** Where events go, and which ones. */
export function EditForwarding({ endpoint, opened, close }: Props) {
  return (
    <Modal opened={opened} onClose={close} title={endpoint.forward ? "Edit forwarding" : "Set up forwarding"} size="lg">
      <ForwardingForm endpoint={endpoint} close={close} />
    </Modal>
  );
}

function ForwardingForm({ endpoint, close }: Omit<Props, "opened">) {
  const { slug, version, environment, forward } = endpoint;
  const trpc = useTRPC();
  const changed = useWebhooksChanged();
  const form = useForm({ initialValues: { url: forward?.url ?? "", events: (forward?.events ?? []).join("\n") } });
  const save = useMutation(
    trpc.webhookEndpoints.setForwarding.mutationOptions({
      meta: { errorShownInForm: true },
      async onSuccess({ secret }) {
        close();
        if (secret === null) toastChanged("Forwarding saved.");
        else showForwardingSecret(secret, slug);
        await changed();
      },
      onError: (error) => form.setErrors(formErrorsOf(error)),
    }),
  );
  const submit = form.onSubmit(({ url, events }) => {
    const types = events.split("\n").flatMap((line) => line.trim() || []);
    const draft = { url: url.trim(), events: types.length > 0 ? types : null };
    save.mutate({ slug, forward: draft, ...(endpoint.configured && { version }) });
  });
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label="URL of your product"
          description={
            environment === "development"
              ? "https, or http on this machine. Redirects are not followed."
              : "https. Redirects are not followed."
          }
          placeholder="https://app.example.com/webhooks/gatehouse"
          autoComplete="off"
          spellCheck={false}
          inputMode="url"
          required
          data-autofocus
          {...form.getInputProps("url")}
        />
        <Textarea
          label="Event types"
          description="One in each line; a * at the end stands for any ending. Empty: all events."
          placeholder={"invoice.paid\ncustomer.subscription.*"}
          autosize
          minRows={2}
          maxRows={8}
          spellCheck={false}
          {...form.getInputProps("events")}
        />
        {forward && form.values.url.trim() !== forward.url && (
          <Text size="sm">Another URL gets a new secret. The present one ends when you save.</Text>
        )}
        <FormError error={save.error} shownAt={["forward.url"]} />
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={save.isPending}>
            {inPlace(forward ? "Save forwarding" : "Start forwarding", environment)}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Lines of the list have one field. */
function formErrorsOf(error: unknown): Record<string, string> {
  const errors = fieldErrorsOf(error);
  const ofEvents = Object.entries(errors).find(([path]) => path.startsWith("forward.events"));
  return {
    ...(errors["forward.url"] !== undefined && { url: errors["forward.url"] }),
    ...(ofEvents && { events: ofEvents[1] }),
  };
}
