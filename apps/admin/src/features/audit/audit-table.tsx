"use client";

import { Text } from "@mantine/core";
import { visibleText } from "@/components/code/visible-text.ts";
import { ENVIRONMENTS, EnvironmentDot } from "@/components/environments.tsx";
import type { Column } from "@/components/table/columns.ts";
import { DataTable } from "@/components/table/data-table.tsx";
import { Timestamp } from "@/components/timestamp.tsx";
import type { AuditEntry } from "@/trpc/types.ts";
import { changesOf } from "./changes.ts";
import { actionWords, fieldWords, VIA_WORDS } from "./words.ts";

/** The page of a row: by its number, or by its id until it has one. */
export const hrefOf = ({ id, number }: Pick<AuditEntry, "id" | "number">): string => `/audit/${number ?? id}`;

const FIELDS_SHOWN = 3;

/** The names of the changed fields. */
function changed({ detail }: AuditEntry): string {
  const fields = changesOf(detail).map(({ field }) => fieldWords(field));
  const more = fields.length - FIELDS_SHOWN;
  return more > 0 ? `${fields.slice(0, FIELDS_SHOWN).join(", ")} and ${more} more` : fields.join(", ");
}

export const COLUMNS: readonly Column<AuditEntry>[] = [
  { id: "what", title: "What", width: 225, render: ({ action }) => actionWords(action) },
  {
    id: "object",
    title: "Object",
    width: 205,
    render: ({ object, objectName }) => (
      <Text span fz="inherit" truncate maw={320} display="block" title={object}>
        <bdi>{visibleText(objectName ?? object)}</bdi>
      </Text>
    ),
  },
  {
    id: "environment",
    title: "Environment",
    from: "wide",
    width: 110,
    render: ({ environment }) =>
      environment && (
        <span style={{ display: "inline-flex", alignItems: "center", gap: 6 }}>
          <EnvironmentDot environment={environment} />
          {ENVIRONMENTS[environment].label}
        </span>
      ),
  },
  {
    id: "changes",
    title: "Changed",
    from: "wide",
    width: 200,
    render: (entry) => (
      <Text span fz="inherit" c="dimmed" truncate maw={280} display="block">
        {changed(entry)}
      </Text>
    ),
  },
  {
    id: "who",
    title: "Who",
    from: "medium",
    width: 120,
    render: ({ actorName }) => (
      <Text span fz="inherit" truncate maw={160} display="block" title={actorName}>
        <bdi>{visibleText(actorName)}</bdi>
      </Text>
    ),
  },
  { id: "via", title: "Via", from: "wide", width: 125, render: ({ via }) => VIA_WORDS[via] },
  { id: "at", title: "Time", time: true, width: 130, render: ({ at }) => <Timestamp at={at} brief /> },
  { id: "number", title: "Number", width: 90, numeric: true, optional: true, render: ({ number }) => number ?? "…" },
  { id: "address", title: "Address", width: 140, optional: true, render: ({ address }) => address ?? "–" },
];

type Props = { rows: readonly AuditEntry[]; open: (id: string) => void; openId: string | null };

export function AuditTable({ rows, open, openId }: Props) {
  return (
    <DataTable
      name="audit"
      label="Audit log"
      rows={rows}
      columns={COLUMNS}
      rowId={({ id }) => id}
      href={hrefOf}
      open={({ id }) => open(id)}
      openId={openId}
    />
  );
}
