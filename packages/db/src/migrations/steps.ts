import type { Migration } from "./read.ts";

/** A part of a migration that is applied as a whole, so that an interrupted migration continues after it. */
export type Step =
  /** In one transaction. */
  | { kind: "statements"; statements: readonly string[] }
  /** One statement that changes a batch of rows, in a transaction of its own, until it changes none. */
  | { kind: "batches"; statement: string }
  /** Builds an index while writes go on, which PostgreSQL does outside of transactions. */
  | { kind: "index"; statement: string; index: string; table: string };

const CONCURRENT_INDEX = /^create (?:unique )?index concurrently (?:if not exists )?"(\w+)" on "(\w+)"/i;
const ANY_CONCURRENT = /\bconcurrently\b/i;
const VALIDATE = /^alter table "\w+" validate constraint /i;

/**
 * The steps of a migration. Statements that can share a transaction do; the validation of a constraint, which reads the
 * whole table, does not, so that the locks of the others end before it. Throws on what no step can express. OP-63
 */
export function stepsOf({ name, phase, statements }: Pick<Migration, "name" | "phase" | "statements">): Step[] {
  const steps: Step[] = [];
  let open: string[] | undefined;
  for (const statement of statements) {
    const step = ownStep(statement, { name, phase });
    if (step) {
      open = undefined;
      steps.push(step);
    } else if (open) open.push(statement);
    else {
      open = [statement];
      steps.push({ kind: "statements", statements: open });
    }
  }
  return steps;
}

function ownStep(statement: string, { name, phase }: Pick<Migration, "name" | "phase">): Step | undefined {
  if (phase === "backfill") return { kind: "batches", statement };
  const [, index, table] = CONCURRENT_INDEX.exec(statement) ?? [];
  if (index !== undefined && table !== undefined) return { kind: "index", statement, index, table };
  if (ANY_CONCURRENT.test(statement))
    throw new Error(
      `The migration ${name} does something concurrently that is not CREATE INDEX: ${firstLine(statement)}`,
    );
  return VALIDATE.test(statement) ? { kind: "statements", statements: [statement] } : undefined;
}

/** Whether it can share a transaction with the migrations before and after it. */
export function isPlain(migration: Migration): boolean {
  const [first, ...others] = stepsOf(migration);
  return others.length === 0 && (first === undefined || first.kind === "statements");
}

export const firstLine = (statement: string) => statement.split("\n")[0] ?? "";
