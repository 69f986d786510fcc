// Each series has a ledger of its applied migrations, by name and hash. drizzle's own ledger has only dates and skips
// every migration older than the latest one. A migration of several steps notes beside it how many are done.

export const createLedger = (ledger: string) =>
  `CREATE TABLE IF NOT EXISTS ${ledger} (name text PRIMARY KEY NOT NULL, hash text NOT NULL, min_program text, applied_at bigint NOT NULL)`;
export const noteIn = (ledger: string, values: string) =>
  `INSERT INTO ${ledger} (name, hash, min_program, applied_at) VALUES (${values})`;
export const readLedger = (ledger: string) => `SELECT name, hash, min_program AS "minProgram" FROM ${ledger}`;
export const readTimes = (ledger: string) => `SELECT name, applied_at AS "appliedAt" FROM ${ledger} ORDER BY name`;

const progressOf = (ledger: string) => `${ledger}_progress`;
export const createProgress = (ledger: string) =>
  `CREATE TABLE IF NOT EXISTS ${progressOf(ledger)} (name text PRIMARY KEY NOT NULL, steps integer NOT NULL)`;
export const readProgress = (ledger: string, value: string) =>
  `SELECT steps FROM ${progressOf(ledger)} WHERE name = ${value}`;
export const noteProgress = (ledger: string, values: string) =>
  `INSERT INTO ${progressOf(ledger)} (name, steps) VALUES (${values}) ON CONFLICT (name) DO UPDATE SET steps = excluded.steps`;
export const endProgress = (ledger: string, value: string) => `DELETE FROM ${progressOf(ledger)} WHERE name = ${value}`;
