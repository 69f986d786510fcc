export type Layer = {
  /** What `--layer` and the scripts `test:<name>` call it. */
  name: string;
  title: string;
  /** Wall time on two cores. More is a warning, since machines differ. */
  budgetSeconds: number;
  /** Arguments of Node. A command passes or fails as a whole, and counts as one test. */
  command?: readonly string[];
  runner?: "vitest" | "playwright";
  /** Where the layer's test files are. */
  folders?: readonly string[];
  /** Which files of those folders they are. */
  files?: RegExp;
  /** The runner's configuration. */
  config?: string;
  env?: Record<string, string>;
  isBuild?: boolean;
  /** Runs with `--full`, and when it is named. */
  isFullOnly?: boolean;
  /** Its tests start the built apps. */
  needsBuild?: boolean;
};

export const LAYERS: readonly [Layer, Layer, ...Layer[]];
export function budgetsOf(run: "test" | "full"): (name: string) => number | undefined;
