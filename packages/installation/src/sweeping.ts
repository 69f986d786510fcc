import type { Db } from "@gatehouse/db/query/db";
import { wipeOldMails } from "@gatehouse/db/stores/jobs/mails";
import { sweepInbox } from "@gatehouse/db/stores/webhooks/inbox-retention";
import { createPace } from "@gatehouse/db/sweep/pace";
import { sweep } from "@gatehouse/db/sweep/sweep";
import { metrics } from "@gatehouse/runtime/metrics";
import type { Settings } from "./settings/settings.ts";

/** How long the sweeper rests after each statement, at least. */
const REST_MS = 25;

/** Deletes what no longer matters until nothing is due, with rests. Ends early when `stopping` is aborted. OP-36 */
export async function sweepAll(
  db: Db,
  now: number,
  { inbox, signInDays }: Pick<Settings, "inbox" | "signInDays">,
  { mailWorks, stopping }: { mailWorks: boolean; stopping: AbortSignal },
): Promise<void> {
  const pace = createPace({ shortestMs: REST_MS, signal: stopping });
  for (let finished = false; !finished && !pace.stopped; ) {
    const swept = await sweepInbox(db, now, inbox, pace);
    onSwept("webhook_deliveries", swept.deliveries);
    onSwept("webhook_events", swept.events);
    await sweep(db, now, { inboxIsFull: swept.full, mailWorks, signInDays, pace, onSwept });
    finished = swept.finished;
  }
  await wipeOldMails(db, now, pace);
}

const onSwept = (table: string, rows: number): void => {
  if (rows > 0) metrics.sweepRows.series(table).add(rows);
};
