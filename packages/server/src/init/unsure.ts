/** Something that the project does not say. The message has what was seen, and how to say it. PK-19 */
export class UnsureError extends Error {
  override readonly name = "UnsureError";
  /** Usage. */
  readonly exitCode = 2;
}

/** Answers a question, or throws {@link UnsureError} where nobody can be asked. */
export type Ask = <Value extends string>(question: Question<Value>) => Promise<Value>;

/** `flag`: what answers it on the command line. */
export type Question<Value extends string> = {
  title: string;
  seen: string;
  flag: string;
  choices: readonly { value: Value; label: string }[];
};

/** Asks nobody. */
export const askNobody: Ask = async ({ seen, flag, choices }) => {
  const values = choices.map(({ value }) => value).join(", ");
  throw new UnsureError(`${seen} Say which with ${flag}: ${values}.`);
};
