import type { CSSProperties } from "react";

/** One part of a stacked bar. Series differ by pattern as well as by color. CO-86. */
export type Series = { name: string; label: string; pattern: "solid" | "dots" | "stripes"; color: string };

/** The background of a series in the legend, as its pattern looks in the chart. */
export function swatchOf({ pattern, color }: Series): CSSProperties {
  if (pattern === "dots") return { background: `radial-gradient(${color} 45%, transparent 50%) 0 0 / 4px 4px` };
  if (pattern === "stripes")
    return { background: `repeating-linear-gradient(45deg, ${color} 0 2px, transparent 2px 4px)` };
  return { background: color };
}
