"use client";

import { useForm } from "@mantine/form";
import { useMutation, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useEffectEvent, useState } from "react";
import { Beside } from "@/components/beside.tsx";
import { ConflictDialog } from "@/components/conflict.tsx";
import { FormError } from "@/components/form-error.tsx";
import { SaveBar } from "@/components/save-bar.tsx";
import { toastChanged } from "@/components/toasts.tsx";
import { useUnsaved } from "@/components/unsaved.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { fieldErrorsOf } from "@/trpc/errors.ts";
import type { SettingView } from "@/trpc/types.ts";
import type { SettingsSection } from "./sections.ts";
import { SettingRow } from "./setting-row.tsx";
import styles from "./settings.module.css";

type Values = Record<string, string>;
type Props = {
  section: SettingsSection;
  /** What a changed value would do. */
  noteOf?: (setting: SettingView, value: string) => ReactNode;
  /** What the values in the form look like, to stand beside them. */
  preview?: (values: Readonly<Record<string, string>>) => ReactNode;
  /** What Save and Discard are for besides the values. */
  also?: AlsoSaved;
  children?: ReactNode;
};

export type AlsoSaved = {
  label: string;
  dirty: boolean;
  saving: boolean;
  /** False if it failed; it says itself why. */
  save: () => Promise<boolean>;
  discard: () => void;
};

const SAVED = "Settings saved and applied.";

/** The settings of one section, as a form with one Save. CO-67, CO-76. */
export function SettingsForm({ section, noteOf, preview, also, children }: Props) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { data } = useSuspenseQuery(trpc.settings.list.queryOptions());
  const [read, setRead] = useState(data);
  const shown = read.settings.filter((setting) => setting.section === section);
  const form = useForm<Values>({ initialValues: valuesOf(shown) });
  const dirty = form.isDirty() || also?.dirty === true;
  useUnsaved(dirty);

  function show(now: typeof data): void {
    const values = valuesOf(now.settings.filter((setting) => setting.section === section));
    setRead(now);
    form.setInitialValues(values);
    form.setValues(values);
  }
  const showUnlessTyped = useEffectEvent((now: typeof data) => {
    if (!form.isDirty() && now.version !== read.version) show(now);
  });
  useEffect(() => showUnlessTyped(data), [data]);

  const save = useMutation(
    trpc.settings.change.mutationOptions({
      meta: { errorShownInForm: true },
      onSuccess(now) {
        queryClient.setQueryData(trpc.settings.list.queryKey(), now);
        show(now);
        toastChanged(SAVED);
      },
      onError: (error) => form.setErrors(errorsOf(error, shown)),
    }),
  );
  const labelOf = (variable: string) => shown.find((setting) => setting.variable === variable)?.label ?? variable;
  const changed = shown.filter(({ variable, value }) => form.getValues()[variable] !== value);

  async function submit(values: Values): Promise<void> {
    if (also?.dirty && !(await also.save())) return;
    if (changed.length > 0) save.mutate({ values: sentValues(changed, values), version: read.version });
    else toastChanged(SAVED);
  }
  function discard(): void {
    form.reset();
    also?.discard();
  }

  const sections = (
    <>
      {groupsOf(shown).map(({ title, text, settings }) => (
        <section
          key={title}
          className={styles["section"]}
          data-stacked={preview !== undefined || undefined}
          aria-label={title}
        >
          <div>
            <h2>{title}</h2>
            <p>{text}</p>
          </div>
          <div className={styles["rows"]}>
            {settings.map((setting) => (
              <SettingRow
                key={setting.variable}
                setting={setting}
                value={form.values[setting.variable] ?? ""}
                error={form.errors[setting.variable]}
                change={(value) => form.setFieldValue(setting.variable, value)}
                note={noteOf?.(setting, form.values[setting.variable] ?? "")}
              />
            ))}
          </div>
        </section>
      ))}
      {children}
    </>
  );

  return (
    <form onSubmit={form.onSubmit(submit)} noValidate>
      {preview ? <Beside beside={preview(form.values)}>{sections}</Beside> : sections}
      <FormError error={save.error} shownAt={Object.keys(form.errors)} />
      <ConflictDialog<Record<string, string | null>>
        error={save.error}
        base={sentValues(changed, valuesOf(shown))}
        mine={sentValues(changed, form.values)}
        labelOf={labelOf}
        save={(values, version) => save.mutate({ values, version })}
      />
      {shown.some(({ changeable }) => changeable) && (
        <SaveBar
          changed={[...changed.map(({ label }) => label), ...(also?.dirty ? [also.label] : [])]}
          dirty={dirty}
          saving={save.isPending || also?.saving === true}
          discard={discard}
        />
      )}
    </form>
  );
}

/** The settings by what they are about, in the order in which the server lists them. */
function groupsOf(settings: readonly SettingView[]) {
  const groups = new Map(settings.map(({ group }) => [group.title, group]));
  return [...groups.values()].map((group) => ({
    ...group,
    settings: settings.filter((one) => one.group.title === group.title),
  }));
}

const valuesOf = (settings: readonly SettingView[]): Values =>
  Object.fromEntries(settings.map(({ variable, value }) => [variable, value]));

/** What is sent: null for the default. */
function sentValues(changed: readonly SettingView[], values: Values): Record<string, string | null> {
  return Object.fromEntries(
    changed.map((setting) => {
      const value = (values[setting.variable] ?? "").trim();
      return [setting.variable, value === "" || value === setting.default ? null : value];
    }),
  );
}

/**
 * Problems name the variable, also where the server's schema found them below `values`. Those of other pages' settings,
 * which may depend on one of this page, are left to the form's own alert.
 */
function errorsOf(error: unknown, shown: readonly SettingView[]): Record<string, ReactNode> {
  const named = Object.entries(fieldErrorsOf(error)).map(
    ([path, message]) => [path.replace(/^values\./, ""), message] as const,
  );
  return Object.fromEntries(named.filter(([path]) => shown.some(({ variable }) => variable === path)));
}
