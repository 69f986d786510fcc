"use client";

import { Checkbox, MultiSelect, NativeSelect, Skeleton, TextInput } from "@mantine/core";
import type { ComponentProps } from "react";
import { useMe } from "@/components/me.tsx";
import { useOnDemand } from "@/components/on-demand.tsx";
import { type Choice, type EditProps, errorAt, hintOf, narrow, setValue, valueAt } from "./field.ts";
import { KeysInput } from "./keys-input.tsx";

/** Only in sections that are folded at first. */
export const loadSecondsInput = () => import("./seconds-input.tsx");

/** The control for one field of the table. */
export function FieldInput(props: EditProps) {
  const { form, field, place } = props;
  const { path, label } = field;
  const value = valueAt(form.values, path);
  const hint = useHint(props);
  const common = { label, description: hint.text, disabled: hint.disabled, error: errorAt(form, path) };
  switch (field.kind) {
    case "own":
      return <field.Edit {...props} />;
    case "keys":
      return <KeysInput {...props} />;
    case "switch": {
      const initial = field.default ?? false;
      const store = (checked: boolean) => setValue(form, path, path.startsWith("options.") && checked === initial ? undefined : checked);
      const checked = typeof value === "boolean" ? value : initial;
      return <Checkbox {...common} checked={checked} onChange={({ currentTarget }) => store(currentTarget.checked)} />;
    }
    case "choice": {
      const current = typeof value === "string" ? value : "";
      return (
        <NativeSelect
          {...common}
          data={[{ value: "", label: field.unset }, ...withCurrent(field.choices(place), current === "" ? [] : [current])]}
          value={current}
          onChange={({ currentTarget }) => setValue(form, path, currentTarget.value === "" ? undefined : currentTarget.value)}
          styles={narrow}
        />
      );
    }
    case "choices": {
      const current = Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
      return (
        <MultiSelect
          {...common}
          placeholder={current.length === 0 ? field.unset : ""}
          data={withCurrent(field.choices(place), current)}
          value={current}
          onChange={(values) => setValue(form, path, values.length === 0 ? undefined : values)}
          clearable
          styles={{ wrapper: { maxWidth: 480 } }}
        />
      );
    }
    case "seconds":
      return <Seconds {...props} common={common} />;
    case "uri":
      return (
        <TextInput
          {...common}
          placeholder={field.placeholder}
          value={typeof value === "string" ? value : ""}
          onChange={({ currentTarget }) => setValue(form, path, currentTarget.value === "" ? undefined : currentTarget.value)}
          maxLength={2048}
          spellCheck={false}
          autoCapitalize="off"
          inputMode="url"
          styles={{ input: { fontFamily: "var(--gh-font-mono)", fontSize: "var(--gh-text-sm)" } }}
        />
      );
  }
}

function Seconds(props: ComponentProps<Awaited<ReturnType<typeof loadSecondsInput>>["SecondsInput"]>) {
  const loaded = useOnDemand(loadSecondsInput, true);
  return loaded ? <loaded.SecondsInput {...props} /> : <Skeleton height={78} />;
}

function useHint({ field, place }: EditProps): { text: string; disabled: boolean } {
  const { user } = useMe();
  const disabled = field.adminOnly === true && user.role !== "admin";
  const text = hintOf(field, place);
  return { text: disabled ? `${text} Only admins can change this.` : text, disabled };
}

const withCurrent = (choices: readonly Choice[], current: readonly string[]): Choice[] => [
  ...choices,
  ...current.filter((value) => !choices.some((choice) => choice.value === value)).map((value) => ({ value, label: value })),
];
