"use client";

import { UnstyledButton } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { Panel } from "@/components/charts/panel.tsx";
import { changeQuery } from "@/components/use-filters.ts";
import type { DeliveryStats } from "@/trpc/types.ts";

const MOST = 5;
/** From this share of the provider's time limit on, slow responses are a risk. */
const WARN_SHARE = 0.5;

export const seconds = (ms: number) => (ms < 1000 ? `${ms} ms` : `${ms / 1000} s`);
/** A count in the last bucket has no upper bound. */
export const atMost = (ms: number | null) => (ms === null ? "more" : `${ms}`);

/** How fast deliveries are answered, against the time that their provider waits. */
export function ResponseTimes({ stats }: { stats: DeliveryStats }) {
  const shown = stats.responses.slice(0, MOST);
  return (
    <Panel title="Response time" note="p50 · p95 · p99, ms">
      {shown.length === 0 && <p className="chart-empty">Nothing in this range</p>}
      <ul className="chart-bars">
        {shown.map((row) => (
          <ResponseTime key={row.provider} row={row} />
        ))}
      </ul>
    </Panel>
  );
}

function ResponseTime({
  row: { provider, p50Ms, p95Ms, p99Ms, budgetMs },
}: {
  row: DeliveryStats["responses"][number];
}) {
  const share = budgetMs === null ? 0 : (p95Ms ?? budgetMs) / budgetMs;
  const slow = share >= WARN_SHARE;
  return (
    <li>
      <UnstyledButton className="chart-bar" data-slow={slow} onClick={() => changeQuery({ provider }, { push: true })}>
        <span className="chart-bar-label">
          {provider}
          {budgetMs !== null && <span className="chart-note"> waits {seconds(budgetMs)}</span>}
        </span>
        <b>
          {slow && <IconAlertTriangle size={13} role="img" aria-label="More than half of the time limit" />}{" "}
          {atMost(p50Ms)} · {atMost(p95Ms)} · {atMost(p99Ms)}
        </b>
        <span className="chart-track" aria-hidden="true">
          <span style={{ width: `${Math.min(100, Math.max(1, share * 100))}%` }} />
        </span>
      </UnstyledButton>
    </li>
  );
}
