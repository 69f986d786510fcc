import { parseArgs } from "node:util";
import { pickWorkloads } from "../pick.ts";
import type { Workload } from "../workloads.ts";
import type { Engine } from "./driven.ts";

export type AgainstOptions = {
  commit: string;
  engine: Engine;
  rounds: number;
  warmSeconds: number;
  seconds: number;
  idleSeconds: number;
  manyTokens: number;
  workloads: readonly Workload[];
  /** A file that the result is written to, for a history. */
  json: string | undefined;
};

export const AGAINST_USAGE = `npm run bench -- --against <commit> [options]
  --engine <engine>    sqlite (default) or postgres
  --only <workload,…>  all that Gatehouse has
  --rounds <n>         5
  --seconds <n>        how long each is measured, 4
  --quick              one short round: shows that all works, not how fast
  --json <file>        also writes the result to a file`;

/** Reads the command line. Throws if it is invalid. */
export function readAgainstOptions(args: string[]): AgainstOptions {
  const text = { type: "string" } as const;
  const { values } = parseArgs({
    args,
    options: {
      against: text,
      engine: text,
      only: text,
      rounds: text,
      seconds: text,
      json: text,
      quick: { type: "boolean", default: false },
    },
  });
  const { quick, engine = "sqlite", against, json } = values;
  if (!against) throw new Error("--against needs a commit");
  if (engine !== "sqlite" && engine !== "postgres") throw new Error(`--engine cannot be ${engine}`);
  return {
    commit: against,
    engine,
    json,
    rounds: positive("rounds", values.rounds ?? (quick ? "1" : "5")),
    warmSeconds: 1,
    seconds: positive("seconds", values.seconds ?? (quick ? "1" : "4")),
    idleSeconds: quick ? 1 : 10,
    manyTokens: quick ? 10_000 : 100_000,
    workloads: pickWorkloads(values.only),
  };
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} must be a whole number from 1: ${text}`);
  return value;
}
