"use client";

import { IconArrowDownRight, IconArrowUpRight } from "@tabler/icons-react";
import Link from "next/link";
import { StackedBars } from "@/components/charts/lazy-bars.tsx";
import { count } from "@/components/charts/panel.tsx";
import { type Series, swatchOf } from "@/components/charts/series.ts";

type Chart = {
  total: number;
  /** What failed, which `total` need not include; null or left out where nothing can. */
  failed?: number | null;
  /** The total of the period before; null if it is not known. */
  before: number | null;
  series: readonly { name: string; total: number }[];
  /** `counts` are in the order of `series`. */
  bars: readonly { at: number; counts: readonly number[] }[];
};
type Props = {
  title: string;
  /** What `total` counts: one, and any other number. */
  unit: readonly [one: string, many: string];
  /** What `failed` counts, as "failed" or "rejected", and the list of them if there is one. */
  failed?: { word: string; href?: string };
  /** The list behind the numbers, with the same filters; left out if no list shows what the chart counts. */
  href?: string;
  chart: Chart;
  nameOf: (name: string) => string;
  /** `outcome`: the series `failed` is what failed. `failures`: all are. */
  tones: "outcome" | "parts" | "failures";
  riseIsBad?: boolean;
  stepSeconds: number;
  /** What the total is compared with, such as "7 days". */
  period?: string;
};

const LOOKS: readonly Pick<Series, "pattern" | "color">[] = [
  { pattern: "solid", color: "var(--gh-chart-calm)" },
  { pattern: "stripes", color: "var(--gh-chart-second)" },
  { pattern: "dots", color: "var(--gh-chart-third)" },
  { pattern: "solid", color: "var(--gh-chart-rest)" },
];
const FAILED: Pick<Series, "pattern" | "color"> = { pattern: "stripes", color: "var(--gh-danger)" };
/** More series than a chart of this height can tell apart are one. */
const SHOWN = 3;

/** One chart: its total, the change against the period before, bars, and a legend with totals. */
export function MetricChart(props: Props) {
  const { title, unit, failed, href, chart, nameOf, tones, riseIsBad = false, stepSeconds, period } = props;
  const { series, rows } = partsOf(chart, nameOf, tones);
  const isEmpty = chart.total === 0 && !chart.failed;
  return (
    <figure className="chart metric-chart" aria-label={title}>
      <figcaption>
        {href === undefined ? (
          <span className="metric-title">{title}</span>
        ) : (
          <Link href={href} prefetch={false} className="metric-title">
            {title}
          </Link>
        )}
        <span>
          <span className="metric-total">{count(chart.total)}</span> {unit[chart.total === 1 ? 0 : 1]}
          {failed && chart.failed !== null && chart.failed !== undefined && (
            <Failed many={chart.failed} word={failed.word} href={failed.href} />
          )}
        </span>
        {period !== undefined && <Change chart={chart} riseIsBad={riseIsBad} period={period} />}
      </figcaption>
      {isEmpty ? (
        <p className="chart-empty">Nothing in this range</p>
      ) : (
        <StackedBars rows={rows} series={series} stepSeconds={stepSeconds} />
      )}
      {!isEmpty && (
        <ul className="chart-legend">
          {series.map((one) => (
            <li key={one.name} className="chart-key">
              <span className="chart-swatch" style={swatchOf(one)} aria-hidden="true" />
              {one.label} <b>{count(one.total)}</b>
            </li>
          ))}
        </ul>
      )}
    </figure>
  );
}

function Failed({ many, word, href }: { many: number; word: string; href: string | undefined }) {
  const text = `${many === 0 ? "none" : count(many)} ${word}`;
  return (
    <span className="metric-failed">
      ,{" "}
      {many === 0 || href === undefined ? (
        <span data-some={many > 0}>{text}</span>
      ) : (
        <Link href={href} prefetch={false} data-some="true">
          {text}
        </Link>
      )}
    </span>
  );
}

/** The largest parts, and the others as one. */
function partsOf({ series, bars }: Chart, nameOf: (name: string) => string, tones: Props["tones"]) {
  const shown = series.length > SHOWN + 1 ? SHOWN : series.length;
  const parts = series.slice(0, shown).map(({ name, total }) => ({ name, label: nameOf(name), total }));
  const rest = series.slice(shown).reduce((sum, { total }) => sum + total, 0);
  const all = rest > 0 ? [...parts, { name: "rest", label: "Others", total: rest }] : parts;
  const styled = all.map((part, index) => ({ ...part, ...lookOf(part.name, index, tones) }));
  const rows = bars.map(({ at, counts }) => ({
    at,
    ...Object.fromEntries(parts.map(({ name }, index) => [name, counts[index] ?? 0])),
    ...(rest > 0 && { rest: counts.slice(shown).reduce((sum, one) => sum + one, 0) }),
  })) as ({ at: number } & Record<string, number>)[];
  return { series: styled, rows };
}

function lookOf(name: string, index: number, tones: Props["tones"]): Pick<Series, "pattern" | "color"> {
  if (tones === "failures" || (tones === "outcome" && name === "failed")) return FAILED;
  return LOOKS[name === "rest" ? LOOKS.length - 1 : Math.min(index, LOOKS.length - 1)] ?? FAILED;
}

function Change({ chart: { total, before }, riseIsBad, period }: { chart: Chart; riseIsBad: boolean; period: string }) {
  if (before === null || before === 0) return null;
  const percent = Math.round(((total - before) / before) * 100);
  const Icon = percent >= 0 ? IconArrowUpRight : IconArrowDownRight;
  const words = `${Math.abs(percent)} % ${percent >= 0 ? "more" : "fewer"} than in the ${period} before (${count(before)})`;
  return (
    <span className="metric-change" data-bad={riseIsBad && percent >= 20} title={words}>
      {percent !== 0 && <Icon size={14} aria-hidden="true" />}
      <span aria-hidden="true">{percent > 999 ? "> 999" : Math.abs(percent)} %</span>
      <span className="metric-words">{words}</span>
    </span>
  );
}
