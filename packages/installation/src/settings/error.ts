export type SettingsProblem = { variable: string; message: string };

/** Variables whose values are invalid, or do not go together. The message names all of them. */
export class SettingsError extends Error {
  readonly problems: readonly SettingsProblem[];
  /** Of the process that ends with it: wrong configuration (sysexits.h). OP-11 */
  readonly exitCode = 78;
  constructor(problems: readonly SettingsProblem[]) {
    super(problems.map(({ variable, message }) => `${variable} ${message}`).join("; "));
    this.name = "SettingsError";
    this.problems = problems;
  }
}

/** The error of one variable. */
export const wrongSetting = (variable: string, message: string) => new SettingsError([{ variable, message }]);

/** What each of the readers returns. Throws one SettingsError that has the problems of all. OP-11 */
export function readAll<Readers extends Readonly<Record<string, () => unknown>>>(
  readers: Readers,
): { [Name in keyof Readers]: ReturnType<Readers[Name]> } {
  const problems: SettingsProblem[] = [];
  const values = Object.entries(readers).map(([name, read]) => {
    try {
      return [name, read()];
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error;
      problems.push(...error.problems);
      return [name, undefined];
    }
  });
  if (problems.length > 0) throw new SettingsError(problems);
  return Object.fromEntries(values) as never;
}
