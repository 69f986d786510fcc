import { visibleText } from "@/components/code/visible-text.ts";

/** A value of a file as one line. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined || value === "") return "(empty)";
  return visibleText(typeof value === "string" ? value : JSON.stringify(value));
}
