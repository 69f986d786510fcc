"use client";

import { NumberInput } from "@mantine/core";
import { spanWords } from "./durations.ts";
import { type EditProps, type errorAt, narrow, setValue, valueAt } from "./field.ts";

type Common = { label: string; description: string; disabled: boolean; error: ReturnType<typeof errorAt> };

/** A span in seconds, with the same in larger units beside it. An option left empty has its default. */
export function SecondsInput({ form, field, place, common }: EditProps & { common: Common }) {
  if (field.kind !== "seconds") return null;
  const value = valueAt(form.values, field.path);
  const initial = field.default(place);
  const isOption = field.path.startsWith("options.");
  const shown = typeof value === "number" && value >= 60 ? ` Now ${spanWords(value)}.` : "";
  const usual = initial === null ? "" : ` Default: ${spanWords(initial)}.`;
  return (
    <NumberInput
      {...common}
      description={`${common.description}${usual}${shown}`}
      suffix=" s"
      min={field.min}
      {...(field.max && { max: field.max(place) })}
      clampBehavior="none"
      allowDecimal={false}
      allowNegative={false}
      placeholder={initial === null ? "" : `${initial} s`}
      value={typeof value === "number" ? value : ""}
      onChange={(typed) => setValue(form, field.path, typeof typed === "number" ? typed : isOption ? undefined : (initial ?? 0))}
      styles={narrow}
    />
  );
}
