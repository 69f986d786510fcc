"use client";

import { Button, Group, Paper, Stack, Title } from "@mantine/core";
import { useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { FormProblem } from "@/components/form-problem.tsx";
import { useMayManage } from "@/components/me.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { problemsOf } from "@/trpc/errors.ts";
import type { ClientSettings, ClientView } from "@/trpc/types.ts";
import { withoutEmptyRows } from "./client-kinds.ts";
import { SettingsFields } from "./settings-fields.tsx";
import { useApplicationChanged } from "./use-application-changed.ts";

/** The client's settings, to change; disabled where this person may not. */
export function ClientSettingsForm({ client }: { client: ClientView }) {
  const { reason } = useMayManage(client.environment);
  const readOnly = reason !== undefined;
  const trpc = useTRPC();
  const changed = useApplicationChanged();
  const form = useForm({ initialValues: settingsOf(client) });
  const update = useMutation(
    trpc.clients.update.mutationOptions({
      meta: { shown: "in form" },
      async onSuccess() {
        notifications.show({ color: "teal", message: "Saved." });
        await changed();
      },
      onError: (error) => form.setErrors(problemsOf(error)),
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
          <FormProblem error={update.error} />
          {!readOnly && (
            <Group justify="flex-end">
              <Button variant="default" onClick={form.reset} disabled={!form.isDirty()}>
                Undo
              </Button>
              <Button type="submit" loading={update.isPending} disabled={!form.isDirty()}>
                Save
              </Button>
            </Group>
          )}
        </Stack>
      </form>
    </Paper>
  );
}

/** The part of a client that the form changes. */
export function settingsOf(client: ClientView): ClientSettings {
  const { redirectUris, postLogoutRedirectUris, grantTypes, scopes, firstParty, resourceServer, refreshRetrySeconds } = client;
  return { redirectUris, postLogoutRedirectUris, grantTypes, scopes, firstParty, resourceServer, refreshRetrySeconds };
}
