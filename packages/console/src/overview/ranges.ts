import type { StatsRange } from "../lists/lists.ts";

const HOUR = 3_600;
const DAY = 86_400;

/** `steps` bars of `stepSeconds`; the last one is not over yet. */
export const RANGES = {
  "1h": { steps: 2, stepSeconds: HOUR, resolution: "hour" },
  "24h": { steps: 25, stepSeconds: HOUR, resolution: "hour" },
  "7d": { steps: 29, stepSeconds: 6 * HOUR, resolution: "hour" },
  "30d": { steps: 31, stepSeconds: DAY, resolution: "day" },
} as const satisfies Record<StatsRange, { steps: number; stepSeconds: number; resolution: "hour" | "day" }>;
