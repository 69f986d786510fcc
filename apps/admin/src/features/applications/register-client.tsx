"use client";

import { Button, Group, NativeSelect, Paper, Stack, Title } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { ENVIRONMENTS } from "@/components/environments.tsx";
import { FormProblem } from "@/components/form-problem.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { problemsOf } from "@/trpc/errors.ts";
import type { Application, ClientType, Environment } from "@/trpc/types.ts";
import { clientTypes, freshSettings, KINDS, withoutEmptyRows } from "./client-kinds.ts";
import { showSecret } from "./secret-dialog.tsx";
import { SettingsFields } from "./settings-fields.tsx";
import { useApplicationChanged } from "./use-application-changed.ts";

type Props = { application: Application; environment: Environment; cancel: () => void };

/** Registers the application's client for one environment. */
export function RegisterClient({ application, environment, cancel }: Props) {
  const trpc = useTRPC();
  const changed = useApplicationChanged();
  const [type, setType] = useState<ClientType>("web");
  const form = useForm({ initialValues: freshSettings(type) });
  const register = useMutation(
    trpc.clients.register.mutationOptions({
      meta: { shown: "in form" },
      async onSuccess({ secret }) {
        if (secret !== null) showSecret(secret);
        await changed();
        window.scrollTo({ top: 0 });
      },
      onError: (error) => form.setErrors(problemsOf(error)),
    }),
  );
  const first = useRef<HTMLSelectElement>(null);
  useEffect(() => first.current?.focus(), []);
  const chooseType = (chosen: ClientType) => {
    setType(chosen);
    form.setValues({
      ...freshSettings(chosen),
      ...(KINDS[chosen].redirects && form.values.redirectUris.length > 0 ? { redirectUris: form.values.redirectUris } : {}),
    });
    form.clearErrors();
  };

  return (
    <Paper withBorder p={{ base: "md", sm: "xl" }}>
      <form
        onSubmit={form.onSubmit((settings) => {
          // Rows keep their numbers, so that what the server says about row 2 lands at row 2.
          const sent = withoutEmptyRows(settings);
          form.setValues({ ...sent, redirectUris: KINDS[type].redirects && sent.redirectUris.length === 0 ? [""] : sent.redirectUris });
          register.mutate({ ...sent, applicationId: application.id, environment, type });
        })}
      >
        <Stack gap="xl">
          <Title order={2} size="h4">
            Register for {ENVIRONMENTS[environment].label.toLowerCase()}
          </Title>
          <NativeSelect
            ref={first}
            label="Type"
            description={KINDS[type].hint}
            value={type}
            onChange={({ currentTarget }) => chooseType(clientTypes.find((known) => known === currentTarget.value) ?? "web")}
            data={clientTypes.map((value) => ({ value, label: KINDS[value].label }))}
            maw={360}
          />
          <SettingsFields form={form} type={type} environment={environment} />
          <FormProblem error={register.error} />
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
