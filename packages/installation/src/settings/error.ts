/** Variables whose values are invalid, or do not go together. The message names all of them. */
export class SettingsError extends Error {
  readonly problems: readonly { variable: string; message: string }[];
  constructor(problems: readonly { variable: string; message: string }[]) {
    super(problems.map(({ variable, message }) => `${variable} ${message}`).join("; "));
    this.name = "SettingsError";
    this.problems = problems;
  }
}
