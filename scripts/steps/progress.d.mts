export type Progress = {
  /** Adds steps to the end of the line. */
  plan(...names: readonly string[]): void;
  /** Runs a step of the plan. */
  during<Result>(name: string, act: () => Promise<Result>): Promise<Result>;
  /** Adds a part of a step to the times, not to the line. */
  note(name: string, seconds: number): void;
  /** Ends the line. */
  close(): void;
  /** What took how long, in order. */
  times(): { name: string; seconds: number }[];
};
type Out = { isTTY?: boolean; columns?: number; write(text: string): unknown };

/** Shows the progress of a plan. It stays silent until the first step runs. */
export function showProgress(options?: { out?: Out; now?: () => number }): Progress;

/** The times as a table, with their total. */
export function tableOf(times: readonly { name: string; seconds: number }[], totalSeconds: number): string;
