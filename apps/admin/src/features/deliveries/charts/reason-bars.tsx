"use client";

import { UnstyledButton } from "@mantine/core";
import { count, Panel } from "@/components/charts/panel.tsx";
import { changeQuery } from "@/components/use-filters.ts";
import type { DeliveryStats } from "@/trpc/types.ts";
import { REASONS } from "../reasons.ts";

const MOST = 5;

/** Why deliveries were rejected, the most frequent reasons first. */
export function ReasonBars({ stats }: { stats: DeliveryStats }) {
  const shown = stats.reasons.slice(0, MOST);
  const rest = stats.reasons.slice(MOST).reduce((sum, { count: more }) => sum + more, 0);
  const most = shown[0]?.count ?? 0;
  return (
    <Panel title="Rejected by reason">
      {shown.length === 0 && <p className="chart-empty">No rejections in this range</p>}
      <ul className="chart-bars">
        {shown.map(({ reason, count: rejected }) => (
          <li key={reason}>
            <UnstyledButton
              className="chart-bar"
              onClick={() => changeQuery({ reason, from: stats.from, to: "" }, { push: true })}
            >
              <span className="chart-bar-label" title={reason}>
                {REASONS[reason].title}
              </span>
              <b>{count(rejected)}</b>
              <span className="chart-track" aria-hidden="true">
                <span style={{ width: `${(rejected / most) * 100}%` }} />
              </span>
            </UnstyledButton>
          </li>
        ))}
      </ul>
      {rest > 0 && <p className="chart-rest">Other reasons {count(rest)}</p>}
    </Panel>
  );
}
