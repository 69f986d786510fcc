import { FORWARDING } from "@gatehouse/webhooks";
import type { OperationDeps } from "../../deps.ts";
import type { Viewer } from "./delivery.ts";
import { missingDelivery } from "./payload.ts";
import { findDeliveryDetail, findEventOfDelivery, listAttempts, listJobsOfDelivery } from "./queries.ts";
import { maySeeErrors } from "./rights.ts";

const MAX_ATTEMPTS = 200;

type JobRow = Awaited<ReturnType<typeof listJobsOfDelivery>>[number];
type HandlerState = "waiting" | "running" | "retrying" | "handled" | "failed" | "dead";

/**
 * What happened to the events of a delivery: each handler's state and its attempts, newest first. For a duplicate,
 * those of the delivery that brought the event. Throws `not_found`.
 */
export async function listDeliveryAttempts(id: string, viewer: Viewer, { db, now }: Pick<OperationDeps, "db" | "now">) {
  const found = await findDeliveryDetail(db, id);
  if (!found) throw missingDelivery();
  const { endpoint, eventKey } = found.delivery;
  const event = eventKey && (await findEventOfDelivery(db, { endpoint, eventKey }));
  if (!event) return { state: null, handlers: [], attempts: [], more: false };

  const [rows, jobs] = await Promise.all([
    listAttempts(db, event.firstDeliveryId, MAX_ATTEMPTS + 1),
    listJobsOfDelivery(db, event.firstDeliveryId),
  ]);
  const planned = jobs.map((job) => ({ ...taskOf(job), job }));
  const keys = new Set([
    ...rows.map(({ eventKey: key }) => key.toString("base64url")),
    ...planned.map(({ eventKey: key }) => key),
  ]);
  const nameOf = (key: string) => (keys.size > 1 ? key : null);

  const attempts = rows.slice(0, MAX_ATTEMPTS).map(({ eventKey: key, error, stack, ...row }) => {
    const { handler, trigger, startedAt, ms, outcome, status, actor: by } = row;
    const told = maySeeErrors(viewer, viewer.scopes) ? { error, stack } : { error: null, stack: null };
    return {
      id: row.id,
      handler,
      event: nameOf(key.toString("base64url")),
      trigger,
      startedAt,
      ms,
      outcome,
      status,
      ...told,
      actor: by,
    };
  });
  const handlers = new Map<
    string,
    { handler: string; event: string | null; state: HandlerState; nextAt: number | null }
  >();
  for (const { handler, eventKey: key, job } of planned)
    handlers.set(`${key} ${handler}`, { handler, event: nameOf(key), ...stateOfJob(job, now()) });
  for (const { handler, eventKey: key, outcome } of rows) {
    const task = `${key.toString("base64url")} ${handler}`;
    // A handler without a job has finished, or its dead job has been swept.
    const state = outcome === "ok" ? "handled" : event.state === "dead" ? "dead" : "failed";
    if (!handlers.has(task))
      handlers.set(task, { handler, event: nameOf(key.toString("base64url")), state, nextAt: null });
  }
  const listed = [...handlers.values()].map((one) => ({ ...one, kind: kindOf(one.handler) }));
  return { state: event.state, handlers: listed, attempts, more: rows.length > MAX_ATTEMPTS };
}

/** Whether it is a handler of the product, or the forwarding of the endpoint. PK-56. */
const kindOf = (handler: string) => (handler === FORWARDING ? ("forwarding" as const) : ("handler" as const));

function taskOf({ payload }: JobRow): { handler: string; eventKey: string } {
  const read = (name: string) =>
    typeof payload === "object" && payload !== null ? String(Reflect.get(payload, name) ?? "") : "";
  return { handler: read("handler"), eventKey: read("eventKey") };
}

/** Claiming a job moves `runAt` to the end of its lease. */
function stateOfJob(
  { deadAt, leaseToken, runAt, attempts }: JobRow,
  now: number,
): { state: HandlerState; nextAt: number | null } {
  if (deadAt !== null) return { state: "dead", nextAt: null };
  if (leaseToken !== null && runAt > now) return { state: "running", nextAt: null };
  return { state: attempts > 0 ? "retrying" : "waiting", nextAt: runAt };
}
