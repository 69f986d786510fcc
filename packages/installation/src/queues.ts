import { type LogoutNotice, sendLogoutNotice } from "@gatehouse/auth";
import { listDeliveryRows } from "@gatehouse/console/deliveries/queries";
import { RERUN_QUEUE } from "@gatehouse/console/deliveries/reruns/reruns";
import type { OperationDeps } from "@gatehouse/console/deps";
import type { ReadDb } from "@gatehouse/db/query/db";
import { LOGOUT_NOTICE_QUEUE, SELF_DESCRIBED_NOTICE_QUEUE } from "@gatehouse/db/stores/jobs/jobs";
import { MAIL_QUEUE } from "@gatehouse/db/stores/jobs/mails";
import {
  type QueueDeps,
  RECONCILE_QUEUE,
  type ReconcileDeps,
  type RerunDeps,
  reconcileQueue,
  rerunQueue,
  webhookQueues,
} from "@gatehouse/work/handlers";
import { type Queue, steps } from "@gatehouse/work/jobs";
import type { Mail } from "./mail.ts";

/** What jobs depend on: the handlers' own dependencies, and those of operations. */
export type WorkDeps = QueueDeps &
  Omit<RerunDeps, "listMatching"> &
  ReconcileDeps & { deps: OperationDeps; reads: ReadDb; mail: Pick<Mail, "queue"> };

/** Seconds to wait after each failed attempt, about two and a half hours in all; then the notice is dead. */
const NOTICE_RETRIES = [10, 60, 300, 1800, 7200] as const;

/**
 * More than the places for requests: notices to clients whose server is silent wait, or fail at once, beside the
 * others.
 */
const NOTICES_AT_ONCE = { team: 100, selfDescribed: 200 };

/** The queues that every server works on, by name. */
export function queuesOf({ deps, mail, ...work }: WorkDeps): Record<string, Queue> {
  return {
    ...webhookQueues(work),
    [RERUN_QUEUE]: rerunQueue({
      ...work,
      listMatching: (filter, position, limit) => listDeliveryRows(work.reads, filter, { position, limit }),
    }),
    [RECONCILE_QUEUE]: reconcileQueue(work),
    [MAIL_QUEUE]: mail.queue,
    ...noticeQueues(deps),
  };
}

/** The queues of logout notices: to clients that an admin registered, and to the others, who can be any number. */
export function noticeQueues(
  deps: Parameters<typeof sendLogoutNotice>[1] & Pick<OperationDeps, "console">,
): Record<string, Queue> {
  const notices = (concurrency: number): Queue => ({
    run: ({ payload }) => sendLogoutNotice(payload as LogoutNotice, { ...deps, ...deps.console }),
    concurrency,
    timeoutSeconds: 30,
    maxAttempts: NOTICE_RETRIES.length + 1,
    backoff: steps(NOTICE_RETRIES),
  });
  return {
    [LOGOUT_NOTICE_QUEUE]: notices(NOTICES_AT_ONCE.team),
    [SELF_DESCRIBED_NOTICE_QUEUE]: notices(NOTICES_AT_ONCE.selfDescribed),
  };
}
