import { SECRET_VARIABLES } from "@gatehouse/runtime/secret-files";
import { closest, distance } from "fastest-levenshtein";
import { SETTING_TABLES } from "./table.ts";

/** More than this many typos are another word. */
const MAX_TYPOS = 4;

/** Those of a product on the sdk, which may share an environment with the server (PK-12), and of the command line. */
const OF_OTHERS = [
  "GATEHOUSE_CLIENT_ID",
  "GATEHOUSE_CLIENT_SECRET",
  "GATEHOUSE_APP_URL",
  "GATEHOUSE_RESOURCE",
  "GATEHOUSE_COOKIE_SECRET",
  "GATEHOUSE_API_TOKEN",
];
/** Set by tests. */
const OF_TESTS = /^GATEHOUSE_TEST_/;

const SETTINGS = SETTING_TABLES.flatMap(({ table }) => Object.keys(table));
const KNOWN = new Set([...SETTINGS, ...SECRET_VARIABLES.map((name) => `${name}_FILE`), ...OF_OTHERS]);

/** A variable that begins with GATEHOUSE_ and means nothing; `nearest`: the setting whose name is almost the same. */
export type UnknownVariable = { variable: string; nearest: string | undefined };

/** The variables that are probably misspelled, since nothing reads them. OP-11 */
export function unknownVariables(variables: Readonly<Record<string, string | undefined>>): UnknownVariable[] {
  return Object.keys(variables)
    .filter((name) => name.startsWith("GATEHOUSE_") && !KNOWN.has(name) && !OF_TESTS.test(name))
    .toSorted()
    .map((variable) => {
      const nearest = closest(variable, [...KNOWN]);
      return { variable, nearest: distance(variable, nearest) <= MAX_TYPOS ? nearest : undefined };
    });
}

/** One line about it. */
export const describeUnknown = ({ variable, nearest }: UnknownVariable): string =>
  `${variable} is no setting${nearest === undefined ? "" : `. Did you mean ${nearest}?`}`;
