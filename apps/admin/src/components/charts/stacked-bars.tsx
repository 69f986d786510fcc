"use client";

import { BarChart } from "@mantine/charts";
import "@mantine/charts/styles.layer.css";
import { useId } from "@mantine/hooks";
import { barName, useZone } from "../times.ts";
import type { Series } from "./series.ts";

type Row = { at: number } & Record<string, number>;
type Props = {
  rows: readonly Row[];
  series: readonly Series[];
  stepSeconds: number;
  /** Called with the series and the start of the bar that was clicked. Without it, bars cannot be clicked. */
  choose?: ((name: string, at: number) => void) | undefined;
};

/**
 * Bars over time. The same numbers are in the legend and in the table of numbers, so screen readers skip the picture.
 */
export function StackedBars({ rows, series, stepSeconds, choose }: Props) {
  const id = useId();
  const [zone] = useZone();
  return (
    <div aria-hidden="true">
      <BarChart
        h={108}
        data={rows.map((row) => ({ ...row, label: barName(row.at, stepSeconds, zone) }))}
        dataKey="label"
        type="stacked"
        series={series.map(({ name, label, color }) => ({ name, label, color }))}
        withYAxis={false}
        gridAxis="none"
        tickLine="none"
        xAxisProps={{ interval: "preserveStartEnd", minTickGap: 40 }}
        tooltipAnimationDuration={0}
        barChartProps={{
          accessibilityLayer: false,
          margin: { top: 4, right: 0, bottom: 0, left: 0 },
          barCategoryGap: "18%",
        }}
        barProps={({ name }) => ({
          fill: `url(#${id}-${name})`,
          stroke: series.find((one) => one.name === name)?.color ?? "currentcolor",
          strokeWidth: 0.75,
          isAnimationActive: false,
          ...(choose && {
            cursor: "pointer",
            onClick: ({ payload }: { payload?: Row }) => payload && choose(String(name), payload.at),
          }),
        })}
      >
        <defs>
          {series.map((one) => (
            <Pattern key={one.name} id={`${id}-${one.name}`} series={one} />
          ))}
        </defs>
      </BarChart>
    </div>
  );
}

function Pattern({ id, series: { pattern, color } }: { id: string; series: Series }) {
  return (
    <pattern
      id={id}
      width={4}
      height={4}
      patternUnits="userSpaceOnUse"
      patternTransform={pattern === "stripes" ? "rotate(45)" : undefined}
    >
      {pattern === "solid" && <rect width={4} height={4} fill={color} />}
      {pattern === "dots" && <circle cx={2} cy={2} r={1.2} fill={color} />}
      {pattern === "stripes" && <rect width={2} height={4} fill={color} />}
    </pattern>
  );
}
