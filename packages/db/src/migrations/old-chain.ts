import { createHash } from "node:crypto";
import { type Applied, NO_UPGRADE, SchemaError } from "./plan.ts";
import type { Migration } from "./read.ts";

// Until November 2026, a schema was the result of 33 migrations, which one initial migration has replaced since. Once that one changes, no
// database with the old chain can be adopted: delete `COMPLETE` then, and leave the refusal until the first release.

/** Digests of the complete chains, and the hashes of the initial migrations that make the same schemas, up to the order of columns. */
const COMPLETE = [
  {
    chain: "7bdfe6d459d8d87d3cf711b22b44414284af7b9d943e0170210f3fb26d92cc77", // SQLite
    initial: "4cd18ff76d51899a94d6acd58ecee8df9817515b39f044e7286746f44d054365",
  },
  {
    chain: "9e65097755feb93b2007239c4b6fb14dd3cf0c9a8cf99eab2034750a480e1475", // PostgreSQL
    initial: "be8e3e8e796a65b15206c4d418f8d35fb56b98b9407e62444af9d485135565aa",
  },
];
const FIRST = "0000_first";
/** The last commit with the chain. */
const LAST_COMMIT = "96055b9";

/**
 * The initial migration, if the ledger `recorded` has the complete old chain, which amounts to it. Throws SchemaError for an old chain that
 * does not.
 */
export function findAdopted(recorded: readonly Applied[], [initial]: readonly Migration[]): Applied | undefined {
  if (!initial || initial.name === FIRST || !recorded.some(({ name }) => name === FIRST)) return undefined;
  const same = COMPLETE.find((one) => one.initial === initial.hash);
  if (!same) throw new SchemaError(NO_UPGRADE);
  if (digestOf(recorded) !== same.chain) throw oldChainError();
  return { name: initial.name, hash: initial.hash, minProgram: initial.minProgram };
}

/** For a database with an incomplete old chain, or whose migrations are in drizzle's ledger. `restored`: for a backup of one. */
export function oldChainError(restored = false): SchemaError {
  const what = restored ? "The backup" : "The database";
  const how = restored ? `restore it there, and run \`npm start\`` : `run \`npm start\` with the same settings`;
  return new SchemaError(
    `${what} is older than Gatehouse's initial migration, and this version cannot migrate it. Check out the version that can (\`git checkout ${LAST_COMMIT}\`) and ${how}, which migrates it. Stop it once it is ready, and start this version again.`,
  );
}

function digestOf(recorded: readonly Applied[]): string {
  const lines = recorded.map(({ name, hash }) => `${name} ${hash}\n`).sort();
  return createHash("sha256").update(lines.join("")).digest("hex");
}
