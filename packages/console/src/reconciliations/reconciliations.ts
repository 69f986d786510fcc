import { listReconciliations as listRows } from "@gatehouse/db/stores/webhooks/reconciliations";
import type { OperationDeps } from "../deps.ts";

/** How far an endpoint's events were compared with the provider's own list. Times are Unix seconds. */
export type ReconciliationView = {
  endpoint: string;
  /** Every event that the provider has from before this time is stored; null before the first comparison has ended. */
  completeUpTo: number | null;
  /** How many events were missing and have been fetched. */
  recovered: number;
  lastRunAt: number | null;
  /** Why the last comparison failed; null if it did not. */
  lastError: string | null;
};

/** The endpoints whose provider is asked for events that never came: those that have or had an API key. */
export async function listReconciliations({ db }: Pick<OperationDeps, "db">): Promise<ReconciliationView[]> {
  const rows = await listRows(db);
  return rows.map(({ endpoint, completeUpTo, recovered, lastRunAt, lastError }) => ({
    endpoint,
    completeUpTo,
    recovered,
    lastRunAt,
    lastError,
  }));
}
