import type { OperationDeps } from "../deps.ts";
import { countAuditBefore, countBodiesBefore, countSignInsBefore } from "./retention-queries.ts";

const DAY = 86_400;
const COUNTED = 1_000;

/** Logs whose age is a setting, with how to count what is older. */
const COUNTS = { audit: countAuditBefore, deliveries: countBodiesBefore, sign_ins: countSignInsBefore } as const;
export const RETAINED_LOGS = ["audit", "deliveries", "sign_ins"] as const satisfies readonly (keyof typeof COUNTS)[];
export type RetainedLog = (typeof RETAINED_LOGS)[number];

/** How much of a log is older than `days`, and so would be deleted. Counted up to a thousand. CO-13, CO-69. */
export async function countOlder(
  { log, days }: { log: RetainedLog; days: number },
  { reads, now }: Pick<OperationDeps, "reads" | "now">,
) {
  const found = await COUNTS[log](reads, now() - days * DAY, COUNTED + 1);
  return { count: Math.min(found, COUNTED), more: found > COUNTED };
}
