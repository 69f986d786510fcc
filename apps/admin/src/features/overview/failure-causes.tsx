"use client";

import Link from "next/link";
import { count } from "@/components/charts/panel.tsx";
import type { Environment, Overview } from "@/trpc/types.ts";
import { causeLabel } from "./cause-label.ts";

type Props = { refusals: Overview["refusals"]; from: number; environment: Environment | undefined };

/** The most frequent causes of refusals, each a link to its failures. CO-10. */
export function FailureCauses({ refusals, from, environment }: Props) {
  const causes = refusals.series.filter(({ name }) => name !== "other");
  const rest = refusals.series.find(({ name }) => name === "other")?.total ?? 0;
  const most = causes[0]?.total ?? 0;
  const query = (cause: string) =>
    new URLSearchParams({ cause, from: String(from), ...(environment && { environment }) });
  return (
    <section aria-labelledby="failure-causes">
      <h2 id="failure-causes" className="overview-heading">
        Why requests failed
      </h2>
      {causes.length > 0 && <p className="overview-muted overview-caption">Refused requests by cause</p>}
      {causes.length === 0 && <p className="overview-none">No request was refused in this range.</p>}
      <ul className="chart-bars overview-list">
        {causes.map(({ name, total }, index) => (
          <li key={name}>
            <Link href={`/failures?${query(name)}`} prefetch={false} className="chart-bar overview-cause">
              <span className="chart-bar-label" title={name}>
                {causeLabel(name)}
              </span>
              <b>{count(total)}</b>
              <Trend values={refusals.bars.map(({ counts }) => counts[index] ?? 0)} />
              <span className="chart-track" aria-hidden="true">
                <span style={{ width: `${(total / most) * 100}%` }} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {rest > 0 && <p className="overview-none">Other causes {count(rest)}</p>}
    </section>
  );
}

const [WIDTH, HEIGHT] = [72, 18];

/** The counts over time as a line. The numbers are in the table of the charts. */
function Trend({ values }: { values: readonly number[] }) {
  const most = Math.max(1, ...values);
  const step = WIDTH / Math.max(1, values.length - 1);
  const points = values.map(
    (value, index) => `${(index * step).toFixed(1)},${(HEIGHT - 1 - (value / most) * (HEIGHT - 2)).toFixed(1)}`,
  );
  return (
    <svg className="overview-trend" width={WIDTH} height={HEIGHT} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      <polyline points={points.join(" ")} fill="none" stroke="currentColor" strokeWidth="1.25" strokeLinejoin="round" />
    </svg>
  );
}
