import type { Series } from "@/components/charts/series.ts";
import { OUTCOMES } from "../reasons.ts";

/** How charts draw each result of a delivery. */
export const RESULTS = [
  { name: "accepted", label: OUTCOMES.accepted.label, pattern: "solid", color: "var(--gh-chart-calm)" },
  { name: "duplicate", label: OUTCOMES.duplicate.label, pattern: "dots", color: "var(--gh-chart-muted)" },
  { name: "rejected", label: OUTCOMES.rejected.label, pattern: "stripes", color: "var(--gh-danger)" },
] as const satisfies readonly Series[];
