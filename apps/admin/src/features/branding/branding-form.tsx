"use client";

import { Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import { Beside } from "@/components/beside.tsx";
import { ColourField } from "@/components/colour-field.tsx";
import { ConflictDialog } from "@/components/conflict.tsx";
import { FormError } from "@/components/form-error.tsx";
import { SaveButtons } from "@/components/save-buttons.tsx";
import { toastChanged } from "@/components/toasts.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { fieldErrorsOf } from "@/trpc/errors.ts";
import type { Application, Branding } from "@/trpc/types.ts";
import { BrandingPreview } from "./branding-preview.tsx";
import { useLogoDraft } from "./logo-draft.ts";
import { LogoField } from "./logo-field.tsx";

const LABELS = {
  displayName: "Display name",
  colour: "Colour",
  termsUrl: "Terms",
  privacyUrl: "Privacy",
  supportUrl: "Support",
} as const;
const FIELDS = ["displayName", "colour", "termsUrl", "privacyUrl", "supportUrl"] as const;
type Values = Record<(typeof FIELDS)[number], string>;

const valuesOf = ({ settings }: Branding) =>
  Object.fromEntries(FIELDS.map((field) => [field, settings[field] ?? ""])) as Values;

type Compared = Record<(typeof FIELDS)[number], string | null>;

/** What is compared in a conflict: null for a field that is empty. */
const comparedOf = (values: Values) =>
  Object.fromEntries(FIELDS.map((field) => [field, values[field].trim() || null])) as Compared;

/** What is sent: empty fields are left out. */
const settingsOf = (values: Compared): Record<string, string> =>
  Object.fromEntries(FIELDS.flatMap((field) => (values[field] ? [[field, values[field]]] : [])));

const sameSettings = (a: Branding, b: Branding) => JSON.stringify(a.settings) === JSON.stringify(b.settings);
const SAVED = "Sign-in page saved.";

type Props = {
  application: Application;
  branding: Branding;
  reason: string | undefined;
  logoReason: string | undefined;
};

/** How an application looks on the pages of a sign-in: a form, and those pages. CO-45, CO-68. */
export function BrandingForm({ application, branding, reason, logoReason }: Props) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [read, setRead] = useState(branding);
  const form = useForm<Values>({ initialValues: valuesOf(branding) });
  function show(now: Branding): void {
    setRead(now);
    form.setInitialValues(valuesOf(now));
    form.setValues(valuesOf(now));
  }
  const follow = useEffectEvent((now: Branding) => {
    if (!form.isDirty()) show(now);
    else if (sameSettings(now, read)) setRead(now); // another logo
  });
  useEffect(() => follow(branding), [branding]);

  const { id: applicationId } = application;
  const cache = (now: Branding) => queries.setQueryData(trpc.branding.get.queryKey({ applicationId }), now);
  const logo = useLogoDraft(branding.logo);
  const upload = useMutation(
    trpc.branding.setLogo.mutationOptions({
      meta: { errorShownInForm: true },
      onSuccess(now) {
        cache(now);
        logo.discard();
      },
      onError: logo.fail,
    }),
  );
  const save = useMutation(
    trpc.branding.set.mutationOptions({
      meta: { errorShownInForm: true },
      onSuccess(now) {
        cache(now);
        show(now);
        toastChanged(SAVED);
      },
      onError: (error) => form.setErrors(fieldErrorsOf(error)),
    }),
  );
  const send = (values: Compared, version: number) =>
    save.mutate({ applicationId, settings: settingsOf(values), version });
  async function submit(values: Values): Promise<void> {
    const uploaded = logo.dirty
      ? await upload.mutateAsync({ applicationId, logo: logo.sent }).catch(() => null)
      : undefined;
    if (uploaded === null) return; // the field says why
    // The upload made a new version. With anybody else's settings in it, the one that was read has to be named, for the
    // conflict.
    const { version } = uploaded && sameSettings(uploaded, read) ? uploaded : read;
    if (form.isDirty()) send(comparedOf(values), version);
    else toastChanged(SAVED);
  }
  const buttons = {
    isDirty: () => form.isDirty() || logo.dirty,
    reset() {
      form.reset();
      logo.discard();
    },
  };
  const readOnly = reason !== undefined;
  return (
    <Beside
      beside={
        readOnly ? null : (
          <BrandingPreview
            applicationId={applicationId}
            settings={settingsOf(comparedOf(form.values))}
            version={branding.version}
          />
        )
      }
    >
      <form onSubmit={form.onSubmit(submit)}>
        <Stack>
          <LogoField logo={logo} reason={logoReason} />
          <TextInput
            label={LABELS.displayName}
            description="In the header of the sign-in page, instead of your product’s name."
            placeholder={application.name}
            maxLength={80}
            readOnly={readOnly}
            {...form.getInputProps("displayName")}
          />
          <ColourField
            label={LABELS.colour}
            description="For buttons and links. Each theme gets a shade of it that is easy to read."
            placeholder="#4f46e5"
            readOnly={readOnly}
            {...form.getInputProps("colour")}
          />
          {(["termsUrl", "privacyUrl", "supportUrl"] as const).map((field) => (
            <TextInput
              key={field}
              label={LABELS[field]}
              type="url"
              placeholder="https://"
              readOnly={readOnly}
              {...form.getInputProps(field)}
            />
          ))}
          <FormError error={save.error} shownAt={FIELDS} />
          {readOnly && (
            <Text size="sm" c="dimmed">
              {reason}
            </Text>
          )}
          {(!readOnly || logoReason === undefined) && (
            <SaveButtons form={buttons} saving={save.isPending || upload.isPending} />
          )}
        </Stack>
      </form>
      <ConflictDialog<Compared>
        error={save.error}
        base={comparedOf(valuesOf(read))}
        mine={comparedOf(form.values)}
        labelOf={(field) => LABELS[field as keyof typeof LABELS] ?? field}
        save={send}
      />
    </Beside>
  );
}
