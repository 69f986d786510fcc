import { isOwnVariable } from "../file/variables.ts";

/** Names of environment variables for the secrets of one file: each call returns one that no earlier call returned. */
export type VariableNames = (...words: string[]) => string;

/**
 * Names like `SHOP_PRODUCTION_SECRET`. A name that is taken gets a number, and one that a file must not use a prefix.
 */
export function variableNames(): VariableNames {
  const taken = new Set<string>();
  return (...words) => {
    const joined = words
      .map((word) =>
        word
          .normalize("NFKD")
          .replaceAll(/[^A-Za-z0-9]+/g, "_")
          .replaceAll(/^_+|_+$/g, "")
          .toUpperCase(),
      )
      .filter((word) => word !== "")
      .join("_")
      .replace(/^(?=\d)/, "_")
      .slice(0, MAX_LENGTH);
    const base = isOwnVariable(`${joined}_`) ? `APP_${joined}` : joined;
    let name = base;
    for (let number = 2; taken.has(name); number++) name = `${base}_${number}`;
    taken.add(name);
    return name;
  };
}

/** Leaves room for a number below the hundred characters that a name may have. */
const MAX_LENGTH = 90;
