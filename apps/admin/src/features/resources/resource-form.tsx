"use client";

import { Button, Checkbox, Group, NativeSelect, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { type ReactNode, useEffect, useEffectEvent } from "react";
import { ConflictDialog } from "@/components/conflict.tsx";
import { ENVIRONMENTS, environmentNames } from "@/components/environments.tsx";
import { FormError } from "@/components/form-error.tsx";
import { SaveButtons } from "@/components/save-buttons.tsx";
import { fieldWords } from "@/features/audit/words.ts";
import { fieldErrorsOf } from "@/trpc/errors.ts";
import type { ApiResource } from "@/trpc/types.ts";
import { ConsentPreview } from "./consent-preview.tsx";
import { type ResourceValues, sharedFieldsOf, valuesOf } from "./resource-values.ts";
import styles from "./resources.module.css";
import { ScopeRows } from "./scope-rows.tsx";

type Props = {
  initial: ResourceValues;
  /** The identifier of a registered resource never changes: tokens and clients name it. */
  registered: boolean;
  readOnly: boolean;
  usedBy?: Readonly<Record<string, number>> | undefined;
  saving: boolean;
  error: unknown;
  save: (values: ResourceValues) => Promise<ApiResource>;
};

const FORMATS = [
  { value: "opaque", label: "Opaque: the API asks this server about each token" },
  { value: "jwt", label: "JWT: the API verifies the signature itself" },
];
const ALGORITHMS = ["RS256", "ES256", "EdDSA"];

/** The settings of an API resource. CO-59. */
export function ResourceForm({ initial, registered, readOnly, usedBy, saving, error, save }: Props) {
  const form = useForm({ initialValues: initial });
  const values = form.getValues();
  function show(now: ResourceValues): void {
    form.setInitialValues(now);
    form.setValues(now);
  }
  const showUnlessTyped = useEffectEvent((version: number | undefined) => {
    // What was typed stays; saving it then says who changed the API
    if (version === form.getValues().version || form.isDirty()) return;
    show(initial);
  });
  useEffect(() => showUnlessTyped(initial.version), [initial.version]);
  async function submit(submitted: ResourceValues): Promise<void> {
    try {
      show(valuesOf(await save(submitted)));
    } catch (failed) {
      form.setErrors(fieldErrorsOf(failed));
    }
  }
  return (
    <form onSubmit={form.onSubmit(submit)} className={styles["form"]}>
      <Section
        title="API"
        text="The identifier is what clients send as the resource parameter, and the audience of its tokens. It can’t change later."
      >
        <TextInput label="Name" required maxLength={80} readOnly={readOnly} {...form.getInputProps("name")} />
        <TextInput
          label="Identifier"
          required
          maxLength={500}
          placeholder="https://stock.example.com"
          readOnly={readOnly || registered}
          spellCheck={false}
          {...form.getInputProps("id")}
        />
      </Section>
      <Section
        title="Scopes"
        text="Each has a name that clients request, and the end of the sentence “This will allow it to …” that users read."
      >
        <ScopeRows form={form} readOnly={readOnly} usedBy={usedBy} />
        <ConsentPreview name={values.name} scopes={values.scopes} />
      </Section>
      <Section
        title="Tokens"
        text="Opaque tokens can be revoked at once. A JWT saves the API a request, and stays valid at the API until it expires."
      >
        <NativeSelect label="Token format" data={FORMATS} disabled={readOnly} {...form.getInputProps("tokenFormat")} />
        {values.tokenFormat === "jwt" && (
          <NativeSelect
            label="Algorithm"
            data={ALGORITHMS}
            disabled={readOnly}
            {...form.getInputProps("tokenAlgorithm")}
          />
        )}
      </Section>
      <Section
        title="Clients"
        text="Which clients get tokens for this API. A token of one environment doesn’t count in another."
      >
        <Checkbox.Group
          label="Environments"
          description="None selected: production, or every environment while this server runs on localhost."
          {...form.getInputProps("environments")}
        >
          <Group gap="md" mt="xs">
            {environmentNames.map((name) => (
              <Checkbox key={name} value={name} label={ENVIRONMENTS[name].label} disabled={readOnly} />
            ))}
          </Group>
        </Checkbox.Group>
        <NativeSelect
          label="Who can give a client access"
          data={[
            { value: "admins", label: "Admins" },
            { value: "developers", label: "Admins, and developers for clients they manage" },
          ]}
          disabled={readOnly}
          {...form.getInputProps("attachedBy")}
        />
        <NativeSelect
          label="Self-registered clients"
          data={[
            { value: "refused", label: "Get no tokens" },
            { value: "asked", label: "Get tokens when the user allows it" },
          ]}
          disabled={readOnly}
          {...form.getInputProps("strangers")}
        />
      </Section>
      <FormError error={error} shownAt={Object.keys(form.errors)} />
      <ConflictDialog
        error={error}
        base={sharedFieldsOf(initial)}
        mine={sharedFieldsOf(values)}
        labelOf={fieldWords}
        save={({ environments, ...fields }, version) => {
          const merged = { ...values, ...fields, environments: environments ?? [], version };
          form.setValues(merged);
          void submit(merged);
        }}
      />
      {!readOnly && (registered ? <SaveButtons form={form} saving={saving} /> : <CreateButton saving={saving} />)}
    </form>
  );
}

function CreateButton({ saving }: { saving: boolean }) {
  return (
    <Group>
      <Button type="submit" loading={saving}>
        Create
      </Button>
    </Group>
  );
}

function Section({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <section className={styles["section"]}>
      <div>
        <h2>{title}</h2>
        <p>{text}</p>
      </div>
      <Stack gap="md" maw={640}>
        {children}
      </Stack>
    </section>
  );
}
