import type { SchemaState } from "@gatehouse/db/migrations/plan";
import type {
  AppliedMigration,
  Preview,
  PreviewedMigration,
  PreviewedStatement,
} from "@gatehouse/db/migrations/preview";

/** What `gatehouse migrate --dry-run` prints. OP-64 */
export function describePreview({ migrations, trial }: Preview): string {
  if (migrations.length === 0) return "The database is up to date.";
  return [
    ...migrations.map(describeMigration),
    trial
      ? `On a copy it took ${trial.seconds.toFixed(1)} s, and the file then had ${(trial.bytes / 1024 / 1024).toFixed(1)} MiB.`
      : "Each statement waits two seconds for its lock, then lets requests pass and tries again, ten times.",
    "Nothing was changed.",
  ].join("\n\n");
}

function describeMigration({ name, phase, minProgram, statements }: PreviewedMigration): string {
  const programs =
    minProgram === null
      ? "programs of the release before keep running"
      : `only programs that know ${minProgram} keep running`;
  return [`${name} (${phase}): ${programs}`, ...statements.map(describeStatement)].join("\n");
}

function describeStatement({ sql, table, rows, lock }: PreviewedStatement): string {
  const facts = [
    ...(rows === undefined ? [] : [`${rows.toLocaleString("en")} rows in ${table}`]),
    ...(lock === undefined ? [] : [`lock ${lock.lock}: ${lock.meanwhile}`]),
  ];
  const head = facts.length > 0 ? [`  -- ${facts.join("; ")}`] : [];
  return [...head, ...sql.split("\n").map((line) => `  ${line}`)].join("\n");
}

const STATES: Record<SchemaState["kind"], string> = {
  empty: "The database is empty.",
  current: "The database has this version's schema.",
  older: "The database's schema is older than this version.",
  newer: "The database's schema is newer than this version, which can run on it.",
};

/** What `gatehouse migrate status` prints. */
export function describeStatus({ kind, missing, applied }: SchemaState & { applied: AppliedMigration[] }): string {
  return [
    STATES[kind],
    ...applied.map(({ name, at }) => `  ${new Date(at).toISOString()}  ${name}`),
    ...missing.map((name) => `  missing                   ${name}`),
  ].join("\n");
}
