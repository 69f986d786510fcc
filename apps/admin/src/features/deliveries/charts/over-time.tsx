"use client";

import { UnstyledButton } from "@mantine/core";
import { StackedBars } from "@/components/charts/lazy-bars.tsx";
import { count, Panel } from "@/components/charts/panel.tsx";
import { type Series, swatchOf } from "@/components/charts/series.ts";
import { changeQuery } from "@/components/use-filters.ts";
import type { DeliveryStats } from "@/trpc/types.ts";
import { HANDLER_STATES } from "../handler-state.tsx";
import { RESULTS } from "./results.ts";

/** Accepted, duplicate and rejected deliveries over time. */
export function ResultChart({ stats }: { stats: DeliveryStats }) {
  return (
    <OverTime
      title="Results"
      stats={stats}
      rows={stats.results}
      series={RESULTS}
      filter={(name) => ({ outcome: name })}
    />
  );
}

const HANDLER_FILTERS: Record<string, keyof typeof HANDLER_STATES> = { ok: "handled", failed: "failed", dead: "dead" };

/** Attempts of handlers over time. Attempts that somebody asked for are not counted. */
export function HandlerChart({ stats }: { stats: DeliveryStats }) {
  const series: Series[] = [
    { name: "ok", label: "Succeeded", pattern: "solid", color: "var(--gh-chart-calm)" },
    { name: "failed", label: "Failed", pattern: "dots", color: "var(--gh-warning)" },
    { name: "dead", label: HANDLER_STATES.dead.label, pattern: "stripes", color: "var(--gh-danger)" },
  ];
  return (
    <OverTime
      title="Handlers"
      stats={stats}
      rows={stats.handlers}
      series={series}
      filter={(name) => ({ handlerState: HANDLER_FILTERS[name] })}
    />
  );
}

type Row = { at: number } & Record<string, number>;
type Props = {
  title: string;
  stats: DeliveryStats;
  rows: readonly Row[];
  series: readonly Series[];
  /** The filters that a click on a series sets. */
  filter: (name: string) => Record<string, string | undefined>;
};

function OverTime({ title, stats, rows, series, filter }: Props) {
  const totals = series.map(({ name }) => rows.reduce((sum, row) => sum + (row[name] ?? 0), 0));
  const choose = (name: string, from: number, to: number | undefined) =>
    changeQuery({ ...filter(name), from, to }, { push: true });
  return (
    <Panel title={title}>
      {totals.every((total) => total === 0) ? (
        <p className="chart-empty">Nothing in this range</p>
      ) : (
        <StackedBars
          rows={rows}
          series={series}
          stepSeconds={stats.stepSeconds}
          choose={(name, at) => choose(name, at, at + stats.stepSeconds - 1)}
        />
      )}
      <ul className="chart-legend">
        {series.map((one, index) => (
          <li key={one.name}>
            <UnstyledButton
              className="chart-key"
              title={`Show ${one.label.toLowerCase()} only`}
              onClick={() => choose(one.name, stats.from, undefined)}
            >
              <span className="chart-swatch" style={swatchOf(one)} aria-hidden="true" />
              {one.label} <b>{count(totals[index] ?? 0)}</b>
            </UnstyledButton>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
