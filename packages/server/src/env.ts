/** The environment of this process, for the programs that it starts. */
export function environment(): Readonly<Record<string, string | undefined>> {
  return process.env;
}
