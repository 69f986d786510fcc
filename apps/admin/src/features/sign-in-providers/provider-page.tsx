"use client";

import { Alert, Button, Paper, Stack, Text, Title } from "@mantine/core";
import { useForm } from "@mantine/form";
import { modals } from "@mantine/modals";
import { useMutation, useSuspenseQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import { useConfirmed } from "@/components/confirm-identity.tsx";
import { ConflictDialog } from "@/components/conflict.tsx";
import { FormError } from "@/components/form-error.tsx";
import { useMe } from "@/components/me.tsx";
import { PageHeader } from "@/components/page-header.tsx";
import { Permitted } from "@/components/permitted.tsx";
import { SaveButtons } from "@/components/save-buttons.tsx";
import { toastChanged } from "@/components/toasts.tsx";
import { History } from "@/features/audit/history.tsx";
import { LockNote } from "@/features/configuration/managed/lock-note.tsx";
import { lockReason } from "@/features/configuration/managed/lock-reason.ts";
import { ManagedFact } from "@/features/configuration/managed/managed-fact.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { fieldErrorsOf } from "@/trpc/errors.ts";
import type { SignInPreset, SignInProvider } from "@/trpc/types.ts";
import { PresetSteps, providerOf } from "./preset-steps.tsx";
import { FIELD_NAMES, ProviderFields } from "./provider-fields.tsx";
import {
  type ComparedProvider,
  comparedFrom,
  inputFrom,
  inputOf,
  labelOf,
  userCount,
  valuesOf,
} from "./provider-values.ts";
import { RemoveProvider } from "./remove-provider.tsx";
import { TestConnection } from "./test-connection.tsx";
import { TestSignIn } from "./test-sign-in.tsx";
import { useProvidersChanged } from "./use-providers-changed.ts";

/** One provider: how it is set up, whether it works, and its settings. UP-01. */
export function ProviderPage({ id }: { id: string }) {
  const trpc = useTRPC();
  const { can } = useMe();
  const { data: provider } = useSuspenseQuery(trpc.signInProviders.get.queryOptions({ id }));
  const { data: presets } = useSuspenseQuery(trpc.signInProviders.presets.queryOptions());
  const preset = presets.find((one) => one.preset === provider.preset);
  const changed = useProvidersChanged();
  const users = provider.users === 1 ? "1 user has" : `${userCount(provider)} users have`;
  return (
    <>
      <PageHeader
        title={provider.name}
        description={[preset && preset.name !== provider.name && preset.name, `${users} connected it`]
          .filter(Boolean)
          .join(" · ")}
        back={{ href: "/sign-in-providers", label: "Sign-in providers" }}
        facts={provider.managed && <ManagedFact managed={provider.managed} />}
        action={can.manageUsers && <SwitchButton provider={provider} />}
      />
      <Stack gap="lg">
        {can.manageUsers && (
          <LockNote kind="sign_in_provider" id={id} managed={provider.managed} reason={undefined} changed={changed} />
        )}
        {!provider.enabled && (
          <Alert variant="light" color="gray" title="This provider is off">
            Nobody can sign in with it. Its users keep their accounts.
            {!provider.tested && " Test the sign-in, then switch it on."}
          </Alert>
        )}
        {provider.secret === "unreadable" && (
          <Alert variant="light" color="red" title="The secret can’t be read">
            It was stored under another GATEHOUSE_SECRET. Enter it again below.
          </Alert>
        )}
        {can.manageUsers && <TestSignIn provider={provider} />}
        {can.manageUsers && <TestConnection id={id} />}
        {preset && (
          <>
            <Settings provider={provider} preset={preset} locked={!can.manageUsers} />
            <Paper withBorder p={{ base: "md", sm: "lg" }}>
              <Title order={2} size="h4" mb="md">
                Set up at {providerOf(preset)}
              </Title>
              <PresetSteps preset={preset} callbackUrl={provider.callbackUrl} />
            </Paper>
          </>
        )}
        <Paper withBorder p={{ base: "md", sm: "lg" }}>
          <Title order={2} size="h4">
            History
          </Title>
          <History object={id} />
        </Paper>
        {can.manageUsers && <RemoveProvider provider={provider} />}
      </Stack>
    </>
  );
}

function Settings({ provider, preset, locked }: { provider: SignInProvider; preset: SignInPreset; locked: boolean }) {
  const trpc = useTRPC();
  const changed = useProvidersChanged();
  const confirmed = useConfirmed();
  const isLocked = provider.managed?.locked === true; // but for the secret, which no file holds
  const [read, setRead] = useState(provider);
  const form = useForm({ initialValues: valuesOf(preset, provider) });
  function show(now: SignInProvider): void {
    setRead(now);
    form.setInitialValues(valuesOf(preset, now));
    form.setValues(valuesOf(preset, now));
  }
  const showUnlessTyped = useEffectEvent((now: SignInProvider) => {
    if (!form.isDirty()) show(now); // what was typed stays; saving it then says who changed the provider
  });
  useEffect(() => showUnlessTyped(provider), [provider]);
  const save = useMutation(
    trpc.signInProviders.update.mutationOptions({
      meta: { errorShownInForm: true },
      async onSuccess(now) {
        show(now);
        toastChanged("Settings saved.");
        await changed();
      },
      onError: (error) => form.setErrors(fieldErrorsOf(error)),
    }),
  );
  const inputOfForm = () => inputFrom(form.getValues(), preset, read.settings);
  const send = (input: ReturnType<typeof inputFrom>, version: number) => {
    const secret = form.getValues().secret.trim();
    confirmed(() => save.mutate({ id: provider.id, version, ...input, ...(secret !== "" && { secret }) }));
  };
  return (
    <Paper withBorder p={{ base: "md", sm: "lg" }}>
      <Title order={2} size="h4" mb="md">
        Settings
      </Title>
      <form onSubmit={form.onSubmit(() => send(inputOfForm(), read.updatedAt))}>
        <Stack maw={560}>
          <ProviderFields
            form={form}
            preset={preset}
            hasSecret={provider.secret !== "none"}
            disabled={locked || isLocked}
            secretDisabled={locked}
          />
          <FormError error={save.error} shownAt={FIELD_NAMES} />
          {!locked && <SaveButtons form={form} saving={save.isPending} />}
        </Stack>
      </form>
      <ConflictDialog<ComparedProvider>
        error={save.error}
        base={comparedFrom(inputFrom(valuesOf(preset, read), preset, read.settings))}
        mine={comparedFrom(inputOfForm())}
        labelOf={(field) => labelOf(preset, field)}
        save={(values, version) => send(inputOf(values), version)}
      />
    </Paper>
  );
}

function SwitchButton({ provider: { id, name, enabled, managed, tested } }: { provider: SignInProvider }) {
  const trpc = useTRPC();
  const changed = useProvidersChanged();
  const confirmed = useConfirmed();
  const setEnabled = useMutation(trpc.signInProviders.setEnabled.mutationOptions({ onSuccess: changed }));
  const switchOn = () => setEnabled.mutate({ id, enabled: true });
  const askUntested = () =>
    modals.openConfirmModal({
      title: `${name} is not tested yet`,
      children: (
        <Text size="sm">
          Nobody has signed in with these settings. If they’re wrong, users see a button that leads to an error. Test
          the sign-in first: it works while the provider is off.
        </Text>
      ),
      labels: { confirm: "Switch on anyway", cancel: "Cancel" },
      onConfirm: switchOn,
    });
  const ask = () =>
    modals.openConfirmModal({
      title: `Switch ${name} off?`,
      children: (
        <Text size="sm">
          Nobody can sign in with it until you switch it on again. Users who are signed in stay signed in.
        </Text>
      ),
      labels: { confirm: "Switch off", cancel: "Cancel" },
      confirmProps: { color: "red" },
      onConfirm: () => setEnabled.mutate({ id, enabled: false }),
    });
  return (
    <Permitted reason={lockReason(managed)}>
      <Button
        variant="default"
        loading={setEnabled.isPending}
        onClick={() => confirmed(enabled ? ask : tested ? switchOn : askUntested)}
      >
        {enabled ? "Switch off" : "Switch on"}
      </Button>
    </Permitted>
  );
}
