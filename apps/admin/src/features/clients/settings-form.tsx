"use client";

import { Button, Group, Paper, Stack, Title } from "@mantine/core";
import { useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { FormError } from "@/components/form-error.tsx";
import { useCanManage } from "@/components/me.tsx";
import { useApplicationChanged } from "@/features/applications/use-application-changed.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { fieldErrorsOf } from "@/trpc/errors.ts";
import type { ClientSettings, ClientView } from "@/trpc/types.ts";
import { withoutEmptyRows } from "./client-types.ts";
import { SettingsFields } from "./settings-fields.tsx";

/** A form for the client's settings, read-only for users who can't change them. */
export function ClientSettingsForm({ client }: { client: ClientView }) {
  const { reason } = useCanManage(client.environment);
  const readOnly = reason !== undefined;
  const trpc = useTRPC();
  const changed = useApplicationChanged();
  const form = useForm({ initialValues: settingsOf(client) });
  const update = useMutation(
    trpc.clients.update.mutationOptions({
      meta: { errorShownInForm: true },
      async onSuccess() {
        notifications.show({ color: "teal", message: "Changes saved." });
        await changed();
      },
      onError: (error) => form.setErrors(fieldErrorsOf(error)),
    }),
  );
  return (
    <Paper withBorder p={{ base: "md", sm: "lg" }}>
      <form
        onSubmit={form.onSubmit((settings) => {
          const sent = withoutEmptyRows(settings);
          form.setValues(sent);
          update.mutate({ clientId: client.clientId, ...sent });
        })}
      >
        <Stack gap="lg">
          <Title order={2} size="h4">
            Settings
          </Title>
          <fieldset disabled={readOnly} style={{ border: 0, padding: 0, margin: 0, minWidth: 0 }} aria-label="Settings">
            <SettingsFields form={form} type={client.type} environment={client.environment} />
          </fieldset>
          <FormError error={update.error} />
          {!readOnly && (
            <Group justify="flex-end">
              <Button variant="default" onClick={form.reset} disabled={!form.isDirty()}>
                Discard changes
              </Button>
              <Button type="submit" loading={update.isPending} disabled={!form.isDirty()}>
                Save changes
              </Button>
            </Group>
          )}
        </Stack>
      </form>
    </Paper>
  );
}

/** The settings of a client that the form changes. */
export function settingsOf(client: ClientView): ClientSettings {
  const { redirectUris, postLogoutRedirectUris, grantTypes, scopes, firstParty, resourceServer, refreshRetrySeconds } = client;
  return { redirectUris, postLogoutRedirectUris, grantTypes, scopes, firstParty, resourceServer, refreshRetrySeconds };
}
