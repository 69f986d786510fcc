import type { Problem } from "../../domain-error.ts";

const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,99}$/;

/** The variables of the installation itself, such as `GATEHOUSE_SECRET` and `DATABASE_URL`. */
const OWN_VARIABLE = /^(GATEHOUSE|DATABASE)_/i;

/**
 * The members of a file that hold secrets. No others are read from the environment: a plan prints them, and the server
 * sends some elsewhere.
 */
const SECRET_MEMBERS = [
  /^users\.\d+\.password(_hash)?$/,
  /^applications\.\d+\.(clients\.\d+\.)?environments\.[a-z]+\.client_secret$/,
  /^webhooks\.\d+\.(api_key|secrets\.\d+(\.secret)?)$/,
];

/** Why a file cannot use an environment variable of this name; undefined if it can. */
export function variableNameProblem(name: unknown): string | undefined {
  if (typeof name !== "string" || !VARIABLE_NAME.test(name)) return "must be the name of an environment variable";
  if (isOwnVariable(name))
    return "must not begin with GATEHOUSE_ or DATABASE_: those variables belong to the server itself. Copy the value to another";
  return undefined;
}

export const isOwnVariable = (name: string): boolean => OWN_VARIABLE.test(name);

/**
 * A copy of the parsed file in which each secret given as `{ "from_env": "NAME" }` is the value of that environment
 * variable, so that a file in a repository needs no secret. `variable` returns an empty string for one that is not set,
 * which is a problem. CO-71.
 */
export function withVariables(
  file: unknown,
  variable: (name: string) => string,
): { file: unknown; problems: Problem[] } {
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
    const problem = SECRET_MEMBERS.some((member) => member.test(path))
      ? variableNameProblem(name)
      : "is only for secrets: client_secret, password, password_hash, a webhook's secrets and api_key. Write this value into the file";
    const value = problem === undefined ? variable(String(name)) : "";
    if (problem !== undefined) problems.push({ path: `${path}.from_env`, message: problem });
    else if (value === "")
      problems.push({ path: `${path}.from_env`, message: `the environment variable ${name} is not set` });
    return value;
  }

  return { file: resolve(file, ""), problems };
}
