"use client";

import { Button, Group, NativeSelect, Paper, Stack, Title } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { ENVIRONMENTS } from "@/components/environments.tsx";
import { FormError } from "@/components/form-error.tsx";
import { useApplicationChanged } from "@/features/applications/use-application-changed.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { fieldErrorsOf } from "@/trpc/errors.ts";
import type { Application, ClientType, Environment } from "@/trpc/types.ts";
import { CLIENT_TYPES, clientTypes, defaultSettings, withoutEmptyRows } from "./client-types.ts";
import { showSecret } from "./secret-dialog.tsx";
import { SettingsFields } from "./settings-fields.tsx";

type Props = { application: Application; environment: Environment; cancel: () => void };

/** Registers the application's client for one environment. */
export function RegisterClient({ application, environment, cancel }: Props) {
  const trpc = useTRPC();
  const changed = useApplicationChanged();
  const [type, setType] = useState<ClientType>("web");
  const form = useForm({ initialValues: defaultSettings(type) });
  const register = useMutation(
    trpc.clients.register.mutationOptions({
      meta: { errorShownInForm: true },
      async onSuccess({ secret }) {
        if (secret !== null) showSecret(secret);
        await changed();
        window.scrollTo({ top: 0 });
      },
      onError: (error) => form.setErrors(fieldErrorsOf(error)),
    }),
  );
  const first = useRef<HTMLSelectElement>(null);
  useEffect(() => first.current?.focus(), []);
  const chooseType = (chosen: ClientType) => {
    setType(chosen);
    form.setValues({
      ...defaultSettings(chosen),
      ...(CLIENT_TYPES[chosen].redirects && form.values.redirectUris.length > 0 ? { redirectUris: form.values.redirectUris } : {}),
    });
    form.clearErrors();
  };

  return (
    <Paper withBorder p={{ base: "md", sm: "xl" }}>
      <form
        onSubmit={form.onSubmit((settings) => {
          // Shows the rows as they are sent, so that the server's error for row 2 appears at row 2.
          const sent = withoutEmptyRows(settings);
          form.setValues({
            ...sent,
            redirectUris: CLIENT_TYPES[type].redirects && sent.redirectUris.length === 0 ? [""] : sent.redirectUris,
          });
          register.mutate({ ...sent, applicationId: application.id, environment, type });
        })}
      >
        <Stack gap="xl">
          <Title order={2} size="h4">
            Register a {ENVIRONMENTS[environment].label.toLowerCase()} client
          </Title>
          <NativeSelect
            ref={first}
            label="Client type"
            description={CLIENT_TYPES[type].hint}
            value={type}
            onChange={({ currentTarget }) => chooseType(clientTypes.find((known) => known === currentTarget.value) ?? "web")}
            data={clientTypes.map((value) => ({ value, label: CLIENT_TYPES[value].label }))}
            maw={360}
          />
          <SettingsFields form={form} type={type} environment={environment} />
          <FormError error={register.error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={cancel}>
              Cancel
            </Button>
            <Button type="submit" loading={register.isPending}>
              Register
            </Button>
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}
