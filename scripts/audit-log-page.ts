import { AUDIT_ACTIONS } from "../packages/console/src/audit/actions.ts";

/** The content of docs/audit-log.md, with the table below the heading "Actions" as the code has it. */
export function auditLogPage(current: string): string {
  const rows = Object.entries(AUDIT_ACTIONS).map(
    ([noun, verbs]) => `| \`${noun}\` | ${verbs.map((verb) => `\`${verb}\``).join(" ")} |`,
  );
  return current.replace(
    /(?<=\n## Actions\n[^#]*)(?:^\|.*\n)+/m,
    `${["| noun | verbs |", "|---|---|", ...rows].join("\n")}\n`,
  );
}
