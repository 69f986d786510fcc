"use client";

import { Button, Group, NativeSelect, Stack, Title } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { ENVIRONMENTS, inPlace } from "@/components/environments.tsx";
import { FormError, focusFirstInvalid } from "@/components/form-error.tsx";
import { useUnsaved } from "@/components/unsaved.tsx";
import { useApplicationChanged } from "@/features/applications/use-application-changed.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { fieldErrorsOf } from "@/trpc/errors.ts";
import type { ClientPlace, ClientType } from "@/trpc/types.ts";
import { CLIENT_TYPES, clientTypes, defaultSettings, withoutEmptyRows } from "./client-types.ts";
import { showSecret } from "./secret-dialog.tsx";
import { errorsShown } from "./settings/field.ts";
import { checkKeys } from "./settings/jwks.ts";
import { SECTIONS } from "./settings/sections.ts";
import { SettingsFields } from "./settings/settings-fields.tsx";

type Props = { place: ClientPlace; cancel: () => void };

/** Registers a client for one environment. */
export function RegisterClient({ place, cancel }: Props) {
  const { environment } = place;
  const trpc = useTRPC();
  const changed = useApplicationChanged();
  const [type, setType] = useState<ClientType>("web");
  const form = useForm({ initialValues: defaultSettings(type), validate: checkKeys });
  useUnsaved(form.isDirty());
  const register = useMutation(
    trpc.clients.register.mutationOptions({
      meta: { errorShownInForm: true },
      async onSuccess({ client, secret }) {
        if (secret !== null) showSecret(secret, client);
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
      ...(CLIENT_TYPES[chosen].redirects && form.values.redirectUris.length > 0
        ? { redirectUris: form.values.redirectUris }
        : {}),
    });
    form.clearErrors();
  };

  return (
    <form
      onSubmit={form.onSubmit(
        (settings) => {
          // Shows the rows as they are sent, so that the server's error for row 2 appears at row 2.
          const sent = withoutEmptyRows(settings);
          form.setValues({
            ...sent,
            redirectUris: CLIENT_TYPES[type].redirects && sent.redirectUris.length === 0 ? [""] : sent.redirectUris,
          });
          register.mutate({ ...sent, ...place, type });
        },
        (_errors, _values, event) => focusFirstInvalid(event?.currentTarget),
      )}
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
          onChange={({ currentTarget }) =>
            chooseType(clientTypes.find((known) => known === currentTarget.value) ?? "web")
          }
          data={clientTypes.map((value) => ({ value, label: CLIENT_TYPES[value].label }))}
          maw={360}
        />
        <div>
          <SettingsFields form={form} type={type} environment={environment} />
        </div>
        <FormError
          error={register.error}
          shownAt={errorsShown(SECTIONS, { type, environment, settings: form.values }, form.errors)}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={cancel}>
            Cancel
          </Button>
          <Button type="submit" loading={register.isPending}>
            {inPlace("Register", environment)}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
