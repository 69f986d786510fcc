"use client";

import { UnstyledButton } from "@mantine/core";
import { count, Panel } from "@/components/charts/panel.tsx";
import { swatchOf } from "@/components/charts/series.ts";
import { changeQuery } from "@/components/use-filters.ts";
import type { DeliveryStats } from "@/trpc/types.ts";
import { RESULTS } from "./results.ts";

const MOST = 5;

type Results = Record<(typeof RESULTS)[number]["name"], number>;
type Bar = Results & { name: string; filter: "provider" | "endpoint" };

/**
 * The results of each provider, or of each endpoint where there is one provider alone; nothing to compare for a single
 * one. CO-57.
 */
export function ProviderBars({ stats }: { stats: DeliveryStats }) {
  const bars = barsOf(stats);
  const [first] = bars;
  if (first === undefined || bars.length === 1) return null;
  const most = Math.max(...bars.map(totalOf));
  const rest = bars.slice(MOST).reduce((sum, bar) => sum + totalOf(bar), 0);
  return (
    <Panel title={`Results by ${first.filter}`} note={RESULTS.map(({ label }) => label.toLowerCase()).join(" · ")}>
      <ul className="chart-bars">
        {bars.slice(0, MOST).map((bar) => (
          <li key={bar.name}>
            <UnstyledButton
              className="chart-bar"
              onClick={() => changeQuery({ [bar.filter]: bar.name, from: stats.from, to: "" }, { push: true })}
            >
              <span className="chart-bar-label" title={bar.name}>
                {bar.name}
              </span>
              <b>{RESULTS.map(({ name }) => count(bar[name])).join(" · ")}</b>
              <span className="chart-track chart-parts" aria-hidden="true">
                {RESULTS.map((one) => (
                  <span key={one.name} style={{ ...swatchOf(one), width: `${(bar[one.name] / most) * 100}%` }} />
                ))}
              </span>
            </UnstyledButton>
          </li>
        ))}
      </ul>
      {rest > 0 && (
        <p className="chart-rest">
          Other {first.filter}s {count(rest)}
        </p>
      )}
    </Panel>
  );
}

/** The busiest first. */
function barsOf({ endpoints }: DeliveryStats): Bar[] {
  const filter = new Set(endpoints.map(({ provider }) => provider)).size > 1 ? "provider" : "endpoint";
  const bars = new Map<string, Bar>();
  for (const one of endpoints) {
    const name = one[filter];
    const bar = bars.get(name) ?? { name, filter, accepted: 0, duplicate: 0, rejected: 0 };
    for (const result of RESULTS) bar[result.name] += one[result.name];
    bars.set(name, bar);
  }
  return [...bars.values()].sort((one, other) => totalOf(other) - totalOf(one));
}

const totalOf = ({ accepted, duplicate, rejected }: Results) => accepted + duplicate + rejected;
