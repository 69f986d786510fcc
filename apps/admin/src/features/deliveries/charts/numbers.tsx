"use client";

import { Table } from "@mantine/core";
import type { ReactNode } from "react";
import { Timestamp } from "@/components/timestamp.tsx";
import type { DeliveryStats } from "@/trpc/types.ts";
import { atMost, seconds } from "./response-times.tsx";

/** The numbers of the charts as tables. */
export function Numbers({ stats }: { stats: DeliveryStats }) {
  return (
    <div className="charts-numbers">
      <Numeric
        label="Results and handlers over time"
        head={["From", "Accepted", "Duplicate", "Rejected", "Handled", "Failed", "Gave up"]}
        rows={stats.results.map(({ at, accepted, duplicate, rejected }, index) => {
          const { ok = 0, failed = 0, dead = 0 } = stats.handlers[index] ?? {};
          return { key: String(at), name: <Timestamp at={at} brief />, values: [accepted, duplicate, rejected, ok, failed, dead] };
        })}
      />
      <Numeric
        label="Rejected by reason"
        head={["Reason", "Deliveries"]}
        rows={stats.reasons.map(({ reason, count }) => ({ key: reason, name: <code>{reason}</code>, values: [count] }))}
      />
      <Numeric
        label="Response time"
        head={["Provider", "Deliveries", "p50, ms", "p95, ms", "p99, ms", "Provider waits"]}
        rows={stats.responses.map(({ provider, count, p50Ms, p95Ms, p99Ms, budgetMs }) => ({
          key: provider,
          name: provider,
          values: [count, atMost(p50Ms), atMost(p95Ms), atMost(p99Ms), budgetMs === null ? "not published" : seconds(budgetMs)],
        }))}
      />
    </div>
  );
}

type Row = { key: string; name: ReactNode; values: readonly (string | number)[] };

function Numeric({ label, head, rows }: { label: string; head: readonly string[]; rows: readonly Row[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so keyboard users must be able to focus it
    <section className="charts-table" aria-label={label} tabIndex={0}>
      <Table verticalSpacing={3} horizontalSpacing="xs" stickyHeader captionSide="top">
        <Table.Caption>{label}</Table.Caption>
        <Table.Thead>
          <Table.Tr>
            {head.map((title) => (
              <Table.Th key={title}>{title}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ key, name, values }) => (
            <Table.Tr key={key}>
              <Table.Th scope="row" fw={400}>
                {name}
              </Table.Th>
              {values.map((value, index) => (
                <Table.Td key={head[index + 1]}>{value}</Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}
