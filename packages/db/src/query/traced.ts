import { type SpanFacts, tracing } from "@gatehouse/runtime/tracing";

type Described = { name: string; facts: SpanFacts };

const OPERATION = /^\s*(\w+)/;
const TABLE = /\b(?:from|into|update)\s+"?(?!select\b)(\w+)/i;
/** Filters of the console's searches make endless variants. */
const MAX_KEPT = 500;
const known = new Map<string, Described>();

/** Adds a statement to the current trace: what it does to which table, never its text or values. OP-76 */
export function traceStatement(engine: "sqlite" | "postgresql", sql: string, beganMs: number, failed = false): void {
  if (!tracing.current) return;
  const { name, facts } = describe(engine, sql);
  tracing.current.worked("statement", name, beganMs, facts, failed);
}

/** {@link traceStatement} for work that takes a while. While traces are off, `work` is just called. */
export async function tracingStatement<Value>(
  engine: "sqlite" | "postgresql",
  sql: string,
  work: () => Promise<Value>,
): Promise<Value> {
  const beganMs = performance.now();
  try {
    const value = await work();
    traceStatement(engine, sql, beganMs);
    return value;
  } catch (error) {
    traceStatement(engine, sql, beganMs, true);
    throw error;
  }
}

function describe(engine: string, sql: string): Described {
  const found = known.get(sql);
  if (found) return found;
  const operation = OPERATION.exec(sql)?.[1]?.toUpperCase() ?? "SQL";
  const table = TABLE.exec(sql)?.[1];
  const described = {
    name: table === undefined ? operation : `${operation} ${table}`,
    facts: {
      "db.system.name": engine,
      "db.operation.name": operation,
      ...(table !== undefined && { "db.collection.name": table }),
    },
  };
  if (known.size < MAX_KEPT) known.set(sql, described);
  return described;
}
