import { type LogoutNotice, sendLogoutNotice } from "@gatehouse/auth";
import { LOGOUT_NOTICE_QUEUE } from "@gatehouse/db";
import { type Queue, steps } from "@gatehouse/jobs";
import type { OperationDeps } from "@gatehouse/operations";

/** Seconds to wait after each failed attempt, about two and a half hours in all; then the notice is dead. */
const NOTICE_RETRIES = [10, 60, 300, 1800, 7200] as const;

/** The queues that every server works on, by name. */
export function queuesOf(deps: OperationDeps): Record<string, Queue> {
  const background = { ...deps, ...deps.console };
  return {
    [LOGOUT_NOTICE_QUEUE]: {
      run: ({ payload }) => sendLogoutNotice(payload as LogoutNotice, background),
      concurrency: 20,
      timeoutSeconds: 30,
      maxAttempts: NOTICE_RETRIES.length + 1,
      backoff: steps(NOTICE_RETRIES),
    },
  };
}
