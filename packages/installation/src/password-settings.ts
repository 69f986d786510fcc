import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { type BreachSource, LEAST_PASSWORD_CHARACTERS } from "@gatehouse/accounts";
import { isUrl } from "@gatehouse/runtime";
import { z } from "zod";

/** Node's default number of threads for hashing, signing, files and names. */
const DEFAULT_POOL = 4;
/** Threads left to everything else, so that signing tokens never waits for passwords. PW-06. */
const SPARED = 2;

/** The public service that holds the passwords of known breaches; it gets five of forty hex digits. PW-04. */
const RANGE_SERVICE = "https://api.pwnedpasswords.com/range/";

/** `off`, `range`, `range:https://…/` or `file:…`. */
const breachSource = z.string().transform((value, context): BreachSource => {
  if (value === "off") return { kind: "off" };
  if (value === "range") return { kind: "range", url: RANGE_SERVICE };
  if (/^range:https?:\/\/[^?#\s]+\/$/.test(value) && isUrl(value.slice("range:".length)))
    return { kind: "range", url: value.slice("range:".length) };
  if (value.startsWith("file:") && value.length > "file:".length) return { kind: "file", path: value.slice("file:".length) };
  context.addIssue({ code: "custom", message: "must be off, range, range:<https URL that ends with /> or file:<path>" });
  return z.NEVER;
});

/** The variables of passwords. PW-01, PW-04, PW-06. */
export const passwordVariables = {
  GATEHOUSE_PASSWORD_MIN_LENGTH: z.coerce.number("must be a number of characters").int().min(8).max(64).default(LEAST_PASSWORD_CHARACTERS),
  GATEHOUSE_BREACH_CHECK: breachSource.default({ kind: "off" }),
  GATEHOUSE_HASH_CONCURRENCY: z.coerce.number("must be a number of passwords").int().min(1).max(256).optional(),
  UV_THREADPOOL_SIZE: z.coerce.number("must be a number of threads").int().min(1).max(1024).optional(),
};

export type PasswordSettings = {
  /** The shortest password that a user can choose, in code points. */
  leastCharacters: number;
  /** How many passwords each process hashes at once. */
  hashConcurrency: number;
  /** Where passwords of breaches are looked up. */
  breaches: BreachSource;
};

const schema = z.object(passwordVariables);

/** Throws an error that names the variable. `mfaRequired`: everybody has a second factor. `root`: what relative paths are relative to. */
export function passwordSettings(
  given: z.output<typeof schema>,
  { mfaRequired, root }: { mfaRequired: boolean; root: string },
): PasswordSettings {
  const { GATEHOUSE_PASSWORD_MIN_LENGTH: leastCharacters, GATEHOUSE_HASH_CONCURRENCY: wanted } = given;
  if (leastCharacters < LEAST_PASSWORD_CHARACTERS && !mfaRequired)
    throw new Error(
      `GATEHOUSE_PASSWORD_MIN_LENGTH must be ${LEAST_PASSWORD_CHARACTERS} or more unless GATEHOUSE_MFA=required: a password alone has to be that long`,
    );
  const threads = given.UV_THREADPOOL_SIZE ?? DEFAULT_POOL;
  if (wanted !== undefined && wanted >= Math.max(2, threads))
    throw new Error(
      `GATEHOUSE_HASH_CONCURRENCY must be below UV_THREADPOOL_SIZE (${threads}), so that signing tokens does not wait for passwords`,
    );
  const breaches = breachSourceFrom(given.GATEHOUSE_BREACH_CHECK, root);
  return { leastCharacters, breaches, hashConcurrency: wanted ?? Math.max(1, Math.min(availableParallelism(), threads - SPARED)) };
}

function breachSourceFrom(source: BreachSource, root: string): BreachSource {
  if (source.kind !== "file") return source;
  const path = resolve(root, source.path);
  if (!existsSync(path)) throw new Error(`GATEHOUSE_BREACH_CHECK names a file that does not exist: ${path}`);
  return { kind: "file", path };
}
