import { parseArgs } from "node:util";
import { pick, pickWorkloads } from "./pick.ts";
import type { Subject } from "./subject.ts";
import { SUBJECTS } from "./subjects.ts";
import { WORKLOADS, type Workload } from "./workloads.ts";

export type Options = {
  rounds: number;
  warmSeconds: number;
  seconds: number;
  idleSeconds: number;
  /** How many tokens the workloads with many of them take in turn. */
  manyTokens: number;
  subjects: readonly Subject[];
  workloads: readonly Workload[];
  /** Whether to write docs/performance.md; only a complete run does. */
  write: boolean;
};

/** The Gatehouse subject that a choice of engine excludes. */
const UNWANTED: Record<string, readonly string[]> = {
  sqlite: ["gatehouse-postgres"],
  postgres: ["gatehouse"],
  both: [],
};

const USAGE = `npm run bench -- [options]
  --quick              one short round: shows that all works, not how fast
  --only <workload,…>  ${WORKLOADS.map(({ slug }) => slug).join(", ")}
  --subjects <name,…>  ${SUBJECTS.map(({ slug }) => slug).join(", ")}
  --engine <engine>    Gatehouse on: sqlite, postgres, or both (default)
  --rounds <n>         5
  --seconds <n>        how long each is measured, 4`;

/** Reads the command line; exits with the usage if it is invalid, or asks for it. */
export function readOptions(args: string[]): Options {
  if (args.includes("--help")) {
    console.log(USAGE);
    process.exit();
  }
  try {
    return parse(args);
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${USAGE}`);
    process.exit(2);
  }
}

function parse(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      quick: { type: "boolean", default: false },
      only: { type: "string" },
      subjects: { type: "string" },
      engine: { type: "string", default: "both" },
      rounds: { type: "string" },
      seconds: { type: "string" },
    },
  });
  const unwanted = UNWANTED[values.engine];
  if (!unwanted) throw new Error(`--engine cannot be ${values.engine}`);
  const quick = values.quick;
  return {
    rounds: Number(values.rounds ?? (quick ? 1 : 5)),
    warmSeconds: 1,
    seconds: Number(values.seconds ?? (quick ? 1 : 4)),
    idleSeconds: quick ? 1 : 10,
    manyTokens: quick ? 10_000 : 100_000,
    subjects: pick("subject", SUBJECTS, values.subjects).filter(({ slug }) => !unwanted.includes(slug)),
    workloads: pickWorkloads(values.only),
    write: !(quick || values.only || values.subjects || values.engine !== "both"),
  };
}
