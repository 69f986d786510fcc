import dayjs from "dayjs";

export type Option = { value: string; label: string };

/** One filter of a list, as the filter bar shows it. `name` is its parameter in the URL. */
export type FilterField = { name: string; label: string /** After a label that is a plural. */; verb?: "are" } & (
  | { kind: "choice"; options: readonly Option[] }
  | { kind: "text"; maxLength: number }
  | { kind: "instant" }
);
export type FilterValue = string | number;

/**
 * The value as the chip says it: the option's label, the text, or the local time. A value from a link can be no option.
 */
export function describe(field: FilterField, value: FilterValue): string {
  if (field.kind === "instant") return dayjs.unix(Number(value)).format("D MMM YYYY, HH:mm");
  if (field.kind === "choice") return field.options.find((option) => option.value === value)?.label ?? String(value);
  return String(value);
}

/** The word between a field's label and its value: "Result is Rejected", "From 3 Nov". */
export const verbOf = ({ kind, verb }: FilterField): string => (kind === "instant" ? "" : (verb ?? "is"));
