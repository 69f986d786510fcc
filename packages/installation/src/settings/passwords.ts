import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { type BreachSource, LEAST_PASSWORD_CHARACTERS } from "@gatehouse/accounts";
import { isUrl } from "@gatehouse/runtime";
import { z } from "zod";
import { SIGN_IN } from "./accounts.ts";
import { wrongSetting } from "./error.ts";
import { type SettingsTable, shapeOf, TEXT } from "./setting.ts";

/** The public service that holds the passwords of known breaches; it gets five of forty hex digits. PW-04. */
const RANGE_SERVICE = "https://api.pwnedpasswords.com/range/";

/** `off`, `range`, `range:https://…/` or `file:…`. */
const breachSource = z.string().transform((value, context): BreachSource => {
  if (value === "off") return { kind: "off" };
  if (value === "range") return { kind: "range", url: RANGE_SERVICE };
  if (/^range:https?:\/\/[^?#\s]+\/$/.test(value) && isUrl(value.slice("range:".length)))
    return { kind: "range", url: value.slice("range:".length) };
  if (value.startsWith("file:") && value.length > "file:".length)
    return { kind: "file", path: value.slice("file:".length) };
  context.addIssue({
    code: "custom",
    message: "must be off, range, range:<https URL that ends with /> or file:<path>",
  });
  return z.NEVER;
});

export type PasswordSettings = {
  /** The shortest password that a user can choose, in code points. */
  leastCharacters: number;
  /** How many passwords each process hashes at once. */
  hashConcurrency: number;
  /** Where passwords of breaches are looked up. */
  breaches: BreachSource;
};

export const PASSWORDS = {
  GATEHOUSE_PASSWORD_MIN_LENGTH: {
    value: z.coerce.number("must be a number of characters").int().min(8).max(64).default(LEAST_PASSWORD_CHARACTERS),
    docs: {
      default: "`15`",
      meaning:
        "characters of a password that a user chooses, up to 64. From 8 to 14 only if everybody has a second factor",
      example: "15",
    },
    console: {
      section: "registration",
      group: SIGN_IN,
      label: "Password length",
      about: "The shortest password that users can choose, in characters.",
      input: TEXT,
      show: ({ passwords }) => String(passwords.leastCharacters),
    },
  },
  GATEHOUSE_BREACH_CHECK: {
    value: breachSource.default({ kind: "off" }),
    docs: {
      default: "`off`",
      meaning:
        "where passwords of known [breaches](accounts.md#passwords) are looked up. `range`: at Have I Been Pwned, " +
        "which gets five of the 40 hex digits of the password's SHA-1. `range:https://…/`: at a public https " +
        "service with the same interface. `file:…`: in a file of sorted SHA-1 hashes",
      example: "off",
    },
    console: {
      section: "registration",
      group: SIGN_IN,
      label: "Breached passwords",
      about: "Where new passwords are looked up.",
      input: TEXT,
      show: ({ passwords }) => passwords.breaches.kind,
    },
  },
  GATEHOUSE_HASH_CONCURRENCY: {
    value: z.coerce.number("must be a number of passwords").int().min(1).max(256).optional(),
    docs: {
      default: "the cores, divided among the processes",
      meaning:
        "passwords that each process hashes at once, 19 MiB each; never more than there are cores. They have threads of " +
        "their own, on Linux with a lower priority than everything else, so that tokens never wait for passwords",
      example: "2",
    },
  },
} as const satisfies SettingsTable<{ passwords: PasswordSettings }>;

export const passwordVariables = shapeOf(PASSWORDS);

const schema = z.object(passwordVariables);

/**
 * Throws SettingsError. `mfaRequired`: everybody has a second factor. `workers`: processes that serve. `root`: what
 * relative paths are relative to.
 */
export function passwordSettings(
  given: z.output<typeof schema>,
  { mfaRequired, workers, root }: { mfaRequired: boolean; workers: number; root: string },
): PasswordSettings {
  const { GATEHOUSE_PASSWORD_MIN_LENGTH: leastCharacters, GATEHOUSE_HASH_CONCURRENCY: wanted } = given;
  if (leastCharacters < LEAST_PASSWORD_CHARACTERS && !mfaRequired)
    throw wrongSetting(
      "GATEHOUSE_PASSWORD_MIN_LENGTH",
      `must be ${LEAST_PASSWORD_CHARACTERS} or more unless GATEHOUSE_MFA=required: a password alone has to be that long`,
    );
  const cores = availableParallelism();
  const breaches = breachSourceFrom(given.GATEHOUSE_BREACH_CHECK, root);
  return {
    leastCharacters,
    breaches,
    hashConcurrency: Math.min(wanted ?? Math.max(1, Math.floor(cores / workers)), cores), // OP-32, OP-89
  };
}

function breachSourceFrom(source: BreachSource, root: string): BreachSource {
  if (source.kind !== "file") return source;
  const path = resolve(root, source.path);
  if (!existsSync(path)) throw wrongSetting("GATEHOUSE_BREACH_CHECK", `names a file that does not exist: ${path}`);
  return { kind: "file", path };
}
