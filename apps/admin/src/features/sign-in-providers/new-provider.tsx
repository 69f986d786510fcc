"use client";

import { Button, Group, Modal, NativeSelect, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { FormError } from "@/components/form-error.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { fieldErrorsOf } from "@/trpc/errors.ts";
import type { SignInPreset } from "@/trpc/types.ts";
import { PresetSteps } from "./preset-steps.tsx";
import { FIELD_NAMES, ProviderFields } from "./provider-fields.tsx";
import { inputFrom, valuesOf } from "./provider-values.ts";
import { useProvidersChanged } from "./use-providers-changed.ts";

type Props = { opened: boolean; close: () => void; presets: readonly SignInPreset[]; issuer: string };

export function NewProvider({ opened, close, presets, issuer }: Props) {
  const [name, setName] = useState<string>(presets[0]?.preset ?? "");
  const preset = presets.find((one) => one.preset === name);
  return (
    <Modal opened={opened} onClose={close} title="Add a sign-in provider" size="xl">
      <Stack>
        <NativeSelect
          label="Kind"
          data={presets.map((one) => ({ value: one.preset, label: one.name }))}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          data-autofocus
        />
        {preset && <NewProviderForm key={preset.preset} preset={preset} close={close} issuer={issuer} />}
      </Stack>
    </Modal>
  );
}

function NewProviderForm({ preset, close, issuer }: { preset: SignInPreset; close: () => void; issuer: string }) {
  const trpc = useTRPC();
  const router = useRouter();
  const changed = useProvidersChanged();
  const [id, setId] = useState<string>(preset.preset);
  const form = useForm({ initialValues: valuesOf(preset) });
  const create = useMutation(
    trpc.signInProviders.create.mutationOptions({
      meta: { errorShownInForm: true },
      async onSuccess(provider) {
        await changed();
        router.push(`/sign-in-providers/${provider.id}`);
        close();
      },
      onError: (error) => form.setErrors(fieldErrorsOf(error)),
    }),
  );
  const send = form.onSubmit((values) =>
    create.mutate({
      id: id.trim(),
      preset: preset.preset,
      secret: values.secret.trim() || null,
      enabled: false, // until it was tested
      ...inputFrom(values, preset),
    }),
  );
  return (
    <form onSubmit={send}>
      <Stack>
        <TextInput
          label="ID"
          description="Part of the callback URL. It can’t be changed later."
          maxLength={32}
          autoComplete="off"
          spellCheck={false}
          value={id}
          onChange={(event) => setId(event.currentTarget.value)}
          error={form.errors["id"]}
        />
        <PresetSteps preset={preset} callbackUrl={`${issuer}/sign-in/with/${id.trim()}/callback`} />
        <ProviderFields form={form} preset={preset} hasSecret={false} />
        <FormError error={create.error} shownAt={["id", ...FIELD_NAMES]} />
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending}>
            Add provider
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
