import type { RemotePlan } from "./apply-remotely.ts";

const MARKS = { create: "+", update: "~", keep: " " } as const;

/** A plan as lines: what is added and changed, field by field, and how much stays. */
export function planText({ changes, recording }: RemotePlan): string {
  const moved = changes.filter(({ action }) => action !== "keep");
  const rows = moved.flatMap(({ action, kind, name, environment, fields }) => [
    `  ${MARKS[action]} ${kind.replaceAll("_", " ")} ${name}${environment ? ` (${environment})` : ""}`,
    ...fields.map(({ field, before, after }) =>
      action === "create" ? `      ${field}: ${shown(after)}` : `      ${field}: ${shown(before)} → ${shown(after)}`,
    ),
  ]);
  const count = (action: string) => changes.filter((change) => change.action === action).length;
  const { locks, marks, releases } = recording;
  const records = [
    locks > 0 ? `${locks} to lock` : "",
    marks > 0 ? `${marks} to mark as managed by the file` : "",
    releases > 0 ? `${releases} to release` : "",
  ];
  const parts = [
    `${count("create")} to add`,
    `${count("update")} to change`,
    `${count("keep")} as they are`,
    ...records,
  ];
  return [...rows, parts.filter(Boolean).join(", ")].join("\n");
}

/** JSON has no control characters, which a terminal would obey. */
const shown = (value: unknown) => (value === undefined ? "null" : JSON.stringify(value));
