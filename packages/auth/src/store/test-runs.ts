import type { TestRun } from "../test-runs/test-run.ts";
import type { GrantStatus } from "./grants.ts";

export type TestRunStore = {
  /** The run with the status of its grant, in any state. CO-38. */
  findTestRun(id: string): Promise<(TestRun & GrantStatus) | undefined>;
};
