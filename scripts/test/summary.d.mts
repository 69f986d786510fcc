import type { Layer } from "./layers.mjs";

export type Result = {
  layer: Layer;
  passed: number;
  failed: number;
  skipped: number;
  failures: readonly { title: string; messages?: readonly string[] }[];
  files: readonly { file: string; seconds: number }[];
  wallSeconds: number;
  cpuSeconds: number | undefined;
};

export function summary(results: readonly Result[], budgetOf: (name: string) => number | undefined): string;
