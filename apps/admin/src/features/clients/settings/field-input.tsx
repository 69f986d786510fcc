"use client";

import { Checkbox, MultiSelect, NativeSelect, Skeleton, TextInput } from "@mantine/core";
import { useMe } from "@/components/me.tsx";
import { useOnDemand } from "@/components/on-demand.tsx";
import { spanWords } from "./durations.ts";
import { type Choice, type EditProps, errorAt, hintOf, setValue, valueAt } from "./field.ts";

/** Short values have short fields; their hints keep the width. */
const NARROW = { wrapper: { maxWidth: 320 } };
/** Only in a section that is folded at first. */
export const loadKeysInput = () => import("./keys-input.tsx");

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
      return <Keys {...props} />;
    case "switch": {
      const initial = field.default ?? false;
      const store = (checked: boolean) =>
        setValue(form, path, path.startsWith("options.") && checked === initial ? undefined : checked);
      const checked = typeof value === "boolean" ? value : initial;
      return <Checkbox {...common} checked={checked} onChange={({ currentTarget }) => store(currentTarget.checked)} />;
    }
    case "choice": {
      const current = typeof value === "string" ? value : "";
      return (
        <NativeSelect
          {...common}
          data={[
            { value: "", label: field.unset },
            ...withCurrent(field.choices(place), current === "" ? [] : [current]),
          ]}
          value={current}
          onChange={({ currentTarget }) =>
            setValue(form, path, currentTarget.value === "" ? undefined : currentTarget.value)
          }
          styles={NARROW}
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
      return <SecondsInput {...props} common={common} />;
    case "uri":
      return (
        <TextInput
          {...common}
          placeholder={field.placeholder}
          value={typeof value === "string" ? value : ""}
          onChange={({ currentTarget }) =>
            setValue(form, path, currentTarget.value === "" ? undefined : currentTarget.value)
          }
          maxLength={2048}
          spellCheck={false}
          autoCapitalize="off"
          inputMode="url"
          styles={{ input: { fontFamily: "var(--gh-font-mono)", fontSize: "var(--gh-text-sm)" } }}
        />
      );
  }
}

type Common = { label: string; description: string; disabled: boolean; error: ReturnType<typeof errorAt> };

/**
 * A span in seconds, with the same in larger units beside it. An option left empty has its default. The server checks
 * its bounds.
 */
function SecondsInput({ form, field, place, common }: EditProps & { common: Common }) {
  if (field.kind !== "seconds") return null;
  const value = valueAt(form.values, field.path);
  const initial = field.default(place);
  const isOption = field.path.startsWith("options.");
  const shown = typeof value === "number" && value >= 60 ? ` Now ${spanWords(value)}.` : "";
  const usual = initial === null ? "" : ` Default: ${spanWords(initial)}.`;
  const change = (typed: string) =>
    setValue(form, field.path, typed !== "" ? Number(typed) : isOption ? undefined : (initial ?? 0));
  return (
    <TextInput
      {...common}
      description={`${common.description}${usual}${shown}`}
      // Mantine’s NumberInput is 9 kB. The browser’s own has the arrow keys too; the wheel must scroll the page.
      type="number"
      onWheel={({ currentTarget }) => currentTarget.blur()}
      rightSection="s"
      placeholder={initial === null ? "" : String(initial)}
      value={typeof value === "number" ? value : ""}
      onChange={({ currentTarget }) => change(currentTarget.value)}
      styles={NARROW}
    />
  );
}

function Keys(props: EditProps) {
  const loaded = useOnDemand(loadKeysInput, true);
  return loaded ? <loaded.KeysInput {...props} /> : <Skeleton height={160} />;
}

function useHint({ field, place }: EditProps): { text: string; disabled: boolean } {
  const { user } = useMe();
  const disabled = field.adminOnly === true && user.role !== "admin";
  const text = hintOf(field, place);
  return { text: disabled ? `${text} Only admins can change this.` : text, disabled };
}

const withCurrent = (choices: readonly Choice[], current: readonly string[]): Choice[] => [
  ...choices,
  ...current
    .filter((value) => !choices.some((choice) => choice.value === value))
    .map((value) => ({ value, label: value })),
];
