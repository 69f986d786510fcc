import { readSchedule } from "@gatehouse/console/overview/queries";
import type { Database } from "@gatehouse/db/database";
import { VERSION } from "@gatehouse/installation";
import type { App } from "../start/app.ts";
import type { OpsAnswer } from "./listen.ts";

type Described = Pick<App, "databaseAnswers" | "deps" | "state"> & {
  database: Pick<Database, "dialect" | "schema">;
  env: Pick<App["env"], "workers">;
};

const PROGRAM = { version: VERSION, node: process.version };

/**
 * What `/readyz` says on the ops port: with the same status as for callers, the details that are not for them. What has
 * to be read from the database is null while it does not answer. OP-71
 */
export async function describeReadiness({
  database,
  databaseAnswers,
  deps,
  env,
  state,
}: Described): Promise<OpsAnswer> {
  const answers = await databaseAnswers();
  const { schema, tasks } = answers ? await readDetails({ database, deps }) : { schema: null, tasks: null };
  return inJson(state.draining ? 503 : 200, {
    status: state.draining ? "draining" : "ready",
    ...PROGRAM,
    ...since(),
    serving_processes: env.workers,
    database: { engine: database.dialect, answers },
    schema,
    scheduled_tasks: tasks,
  });
}

/** The same of a server that waits for `gatehouse migrate`, and answers nothing else yet. OP-62, OP-71 */
export function describeWaiting(missing: readonly string[]): OpsAnswer {
  return inJson(503, { status: "waiting_for_migration", ...PROGRAM, ...since(), schema: { missing } });
}

async function readDetails({ database, deps }: Pick<Described, "database" | "deps">) {
  const { db } = deps.console ?? deps;
  try {
    const [{ kind, missing }, { overdue }] = await Promise.all([database.schema(), readSchedule(db, deps.now())]);
    const tasks = overdue
      .toSorted((one, other) => one.name.localeCompare(other.name))
      .map(({ name, seconds }) => ({ name, due_in_seconds: -seconds }));
    return { schema: { state: kind, missing }, tasks };
  } catch {
    return { schema: null, tasks: null }; // lost since it was asked
  }
}

function since() {
  const seconds = Math.round(process.uptime());
  return { started_at: new Date(Date.now() - seconds * 1000).toISOString(), uptime_seconds: seconds };
}

function inJson(status: number, value: object): OpsAnswer {
  return { status, contentType: "application/json", text: `${JSON.stringify(value, null, 2)}\n` };
}
