/** One line of a difference: what was there, what is there now, or what stayed. */
export type DiffLine = { sign: "removed" | "added" | "same"; text: string };
export type FieldDiff = { field: string; lines: DiffLine[] };

const MAX_TEXT = 2_000;

/**
 * The changed fields of a row, line by line. Lists are compared as sets: only the entries that came or went are marked.
 * CO-64.
 */
export function changesOf(detail: Record<string, unknown>): FieldDiff[] {
  const { changes } = detail;
  if (typeof changes !== "object" || changes === null) return [];
  return Object.entries(changes).flatMap(([field, value]) => {
    const { before = null, after = null } = Object(value) as { before?: unknown; after?: unknown };
    return isRecord(before) || isRecord(after)
      ? memberDiffs(field, before, after)
      : [{ field, lines: linesOf(before, after) }];
  });
}

/** What a row says besides changed fields, as terms and values. */
export function factsOf(detail: Record<string, unknown>): [string, string][] {
  return Object.entries(detail)
    .filter(([name, value]) => name !== "changes" && value !== null)
    .map(([name, value]) => [name, Array.isArray(value) ? value.map(textOf).join("\n") : textOf(value)]);
}

/** The members of an object that differ, each as a field of its own. */
function memberDiffs(field: string, before: unknown, after: unknown): FieldDiff[] {
  const [old, now] = [Object(before) as Record<string, unknown>, Object(after) as Record<string, unknown>];
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])];
  return names
    .filter((name) => JSON.stringify(old[name]) !== JSON.stringify(now[name]))
    .map((name) => ({ field: `${field}.${name}`, lines: linesOf(old[name] ?? null, now[name] ?? null) }));
}

function linesOf(before: unknown, after: unknown): DiffLine[] {
  const [old, now] = [entriesOf(before), entriesOf(after)];
  const line = (sign: DiffLine["sign"]) => (text: string) => ({ sign, text });
  return [
    ...old.filter((text) => now.includes(text)).map(line("same")),
    ...old.filter((text) => !now.includes(text)).map(line("removed")),
    ...now.filter((text) => !old.includes(text)).map(line("added")),
  ];
}

function entriesOf(value: unknown): string[] {
  if (value === null || value === undefined) return [];
  return Array.isArray(value) ? value.map(textOf) : [textOf(value)];
}

function textOf(value: unknown): string {
  if (value === "") return "(empty)";
  if (typeof value === "boolean") return value ? "on" : "off";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}

const isRecord = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);
