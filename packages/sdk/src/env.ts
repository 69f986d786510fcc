/** The variables of the process; empty where the runtime has none. Read at first use, never at import. PK-12. */
export function environmentVariables(): Record<string, string | undefined> {
  return typeof process === "undefined" ? {} : process.env;
}
