"use client";

import { NumericTable } from "@/components/charts/numeric-table.tsx";
import { Timestamp } from "@/components/timestamp.tsx";
import type { DeliveryStats } from "@/trpc/types.ts";
import { atMost, seconds } from "./response-times.tsx";

/** The numbers of the charts as tables. */
export function Numbers({ stats }: { stats: DeliveryStats }) {
  return (
    <div className="charts-numbers">
      <NumericTable
        label="Results and handlers over time"
        head={["From", "Accepted", "Duplicate", "Rejected", "Handled", "Failed", "Gave up"]}
        rows={stats.results.map(({ at, accepted, duplicate, rejected }, index) => {
          const { ok = 0, failed = 0, dead = 0 } = stats.handlers[index] ?? {};
          return {
            key: String(at),
            name: <Timestamp at={at} brief />,
            values: [accepted, duplicate, rejected, ok, failed, dead],
          };
        })}
      />
      <NumericTable
        label="Results by endpoint"
        head={["Endpoint", "Accepted", "Duplicate", "Rejected"]}
        rows={stats.endpoints.map(({ endpoint, accepted, duplicate, rejected }) => ({
          key: endpoint,
          name: endpoint,
          values: [accepted, duplicate, rejected],
        }))}
      />
      <NumericTable
        label="Rejected by reason"
        head={["Reason", "Deliveries"]}
        rows={stats.reasons.map(({ reason, count }) => ({ key: reason, name: <code>{reason}</code>, values: [count] }))}
      />
      <NumericTable
        label="Response time"
        head={["Provider", "Deliveries", "p50, ms", "p95, ms", "p99, ms", "Provider waits"]}
        rows={stats.responses.map(({ provider, count, p50Ms, p95Ms, p99Ms, budgetMs }) => ({
          key: provider,
          name: provider,
          values: [
            count,
            atMost(p50Ms),
            atMost(p95Ms),
            atMost(p99Ms),
            budgetMs === null ? "not published" : seconds(budgetMs),
          ],
        }))}
      />
    </div>
  );
}
