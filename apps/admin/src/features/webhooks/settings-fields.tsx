"use client";

import { NativeSelect, Switch, TextInput } from "@mantine/core";
import type { WebhookEndpoint, WebhookSettingsField } from "@/trpc/types.ts";

/** The values of a form, by the name of the setting. An empty text means that the setting has no value. */
export type SettingsValues = Record<string, string | boolean>;

type Settings = Record<string, string | number | boolean>;

type Props = {
  fields: readonly WebhookSettingsField[];
  /** What connects an input to its form. */
  inputProps: (name: string, type: "input" | "checkbox") => object;
  disabled?: boolean;
};

/** An input for each setting that the provider's adapter reads. */
export function SettingsFields({ fields, inputProps, disabled = false }: Props) {
  return fields.map(({ name, label, help, kind, options = [], placeholder }) => {
    const shared = { label, description: help, disabled };
    if (kind === "switch") return <Switch key={name} {...shared} {...inputProps(name, "checkbox")} />;
    if (kind === "choice")
      return (
        <NativeSelect
          key={name}
          {...shared}
          data={[{ value: "", label: "Default" }, ...options]}
          {...inputProps(name, "input")}
        />
      );
    return (
      <TextInput
        key={name}
        {...shared}
        autoComplete="off"
        spellCheck={false}
        maxLength={2000}
        {...(placeholder !== undefined && { placeholder })}
        {...(kind === "number" && { inputMode: "numeric" as const })}
        {...inputProps(name, "input")}
      />
    );
  });
}

/** The form's values for the settings of an endpoint. */
export function valuesOf(
  fields: readonly WebhookSettingsField[],
  settings: WebhookEndpoint["settings"],
): SettingsValues {
  return Object.fromEntries(
    fields.map(({ name, kind }) => {
      const value = settings[name];
      return [name, kind === "switch" ? value === true : value === undefined || value === null ? "" : String(value)];
    }),
  );
}

/** The settings for a form's values. What is not a number is sent as it is, so that the server's message names it. */
export function settingsFrom(fields: readonly WebhookSettingsField[], values: SettingsValues): Settings {
  const settings: Settings = {};
  for (const { name, kind } of fields) {
    const value = values[name] ?? "";
    if (value === "" || value === false) continue;
    const number =
      kind === "number" && typeof value === "string" && /^\d{1,9}$/.test(value.trim()) ? Number(value) : undefined;
    settings[name] = number ?? value;
  }
  return settings;
}
