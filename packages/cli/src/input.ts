import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { text } from "node:stream/consumers";
import type { Problem } from "@gatehouse/console/domain-error";
import type { z } from "zod";
import { pathFromCaller } from "./env.ts";

/** Input that cannot be used, with everything that is wrong with it. Nothing has been written. */
export class InputError extends Error {
  override readonly name = "InputError";
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(problems.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join("; "));
    this.problems = problems;
  }
}

/** Options that do not go together, or a question that nobody answered. */
export class UsageError extends InputError {
  readonly exitCode = 2;
}

/** Checks options against a schema. `pathOf` names a field as the user typed it. Throws {@link InputError}. */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  pathOf: (field: string) => string = (field) => field,
): z.output<Schema> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  throw new InputError(parsed.error.issues.map(({ path, message }) => ({ path: pathOf(path.join(".")), message })));
}

export const TIME = "a time like 2027-01-31T12:00:00Z";

/** The Unix seconds of an option's time; a date without a time means its beginning, UTC. Throws {@link InputError}. */
export function parseTime(option: string, text: string): number {
  const milliseconds = /^\d{4}-\d\d-\d\d(T.*(Z|[+-]\d\d:\d\d))?$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(milliseconds)) throw new InputError([{ path: option, message: `must be ${TIME}` }]);
  return Math.floor(milliseconds / 1000);
}

const MAX_FILE_NAME = 200;

/** What a file is called, without its folders. */
export function fileName(path: string): string {
  return path === "-" ? "standard input" : basename(path).slice(0, MAX_FILE_NAME);
}

/** All of standard input. */
export const readStandardInput = (): Promise<string> => text(process.stdin);

/** The content of a file, or of standard input for `-`. Throws {@link InputError}. */
export async function readInput(file: string): Promise<string> {
  if (file === "-") return readStandardInput();
  const path = pathFromCaller(file);
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? cause.code : cause;
    throw new InputError([{ path: "", message: `cannot read ${path} (${code})` }]);
  }
}
