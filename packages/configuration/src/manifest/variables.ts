import type { Problem } from "@gatehouse/operations";

/** The names of environment variables that a file may use. */
export const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,99}$/;

/**
 * A copy of the parsed file in which each `{ "from_env": "NAME" }` is the value of that environment variable, so that a file in a repository
 * needs no secret. `variable` returns an empty string for one that is not set, which is a problem. CO-71.
 */
export function withVariables(file: unknown, variable: (name: string) => string): { file: unknown; problems: Problem[] } {
  const problems: Problem[] = [];

  function resolve(value: unknown, path: string): unknown {
    if (typeof value !== "object" || value === null) return value;
    const below = (name: string | number) => (path === "" ? `${name}` : `${path}.${name}`);
    if (Array.isArray(value)) return value.map((item, at) => resolve(item, below(at)));
    const members = Object.entries(value);
    const [only] = members;
    if (only?.[0] === "from_env" && members.length === 1) return readVariable(only[1], path);
    return Object.fromEntries(members.map(([name, member]) => [name, resolve(member, below(name))]));
  }

  function readVariable(name: unknown, path: string): string {
    const valid = typeof name === "string" && VARIABLE_NAME.test(name);
    const value = valid ? variable(name) : "";
    if (!valid) problems.push({ path: `${path}.from_env`, message: "must be the name of an environment variable" });
    else if (value === "") problems.push({ path: `${path}.from_env`, message: `the environment variable ${name} is not set` });
    return value;
  }

  return { file: resolve(file, ""), problems };
}
