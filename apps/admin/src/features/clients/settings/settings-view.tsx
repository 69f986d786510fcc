import { Term, Terms } from "@/components/terms.tsx";
import type { ClientView } from "@/trpc/types.ts";
import { spanWords } from "./durations.ts";
import { type Field, fieldsFor, type Place, valueAt } from "./field.ts";
import { SECTIONS } from "./sections.ts";
import { SectionFrame } from "./settings-fields.tsx";

/** A client's settings, for users who can't change them. */
export function SettingsView({ client }: { client: ClientView }) {
  const place: Place = { type: client.type, environment: client.environment, settings: client };
  return SECTIONS.map((section) => {
    const fields = fieldsFor(section, place);
    if (fields.length === 0) return null;
    return (
      <SectionFrame key={section.id} section={section}>
        <Terms names="above">
          {fields.map((field) => (
            <Term key={field.path} name={field.label}>
              {shownValue(field, place)}
            </Term>
          ))}
        </Terms>
      </SectionFrame>
    );
  });
}

/** The value that applies, also if it is the default, as the pages say it. */
export function shownValue(field: Field, place: Place) {
  const value = valueAt(place.settings, field.path);
  switch (field.kind) {
    case "own":
      return field.show(place);
    case "switch":
      return (typeof value === "boolean" ? value : (field.default ?? false)) ? "Yes" : "No";
    case "seconds": {
      const seconds = typeof value === "number" ? value : field.default(place);
      return seconds === null ? "No limit" : spanWords(seconds);
    }
    case "keys":
      return place.settings.options.jwks === undefined
        ? "None"
        : `${place.settings.options.jwks.keys.length} stored here`;
    case "choice":
    case "choices": {
      const values = Array.isArray(value) ? value : value === undefined ? [] : [value];
      const labelOf = (one: unknown) =>
        field.choices(place).find((choice) => choice.value === one)?.label ?? String(one);
      return values.length === 0 ? field.unset : values.map(labelOf).join(", ");
    }
    case "uri":
      return typeof value === "string" ? <code className="value">{value}</code> : field.unset;
  }
}
