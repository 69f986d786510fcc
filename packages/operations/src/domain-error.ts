/** What is wrong with one field, and what to do about it. `path` is dotted: "redirectUris.0". */
export type Problem = { path: string; message: string };

export type DomainErrorKind = "invalid" | "not_found" | "conflict" | "forbidden" | "unauthorized";

/** The one error of the operations. Its message is for the person who asked: it says what to fix and holds no secret. */
export class DomainError extends Error {
  override readonly name = "DomainError";
  readonly kind: DomainErrorKind;
  readonly problems: readonly Problem[];

  constructor(kind: DomainErrorKind, message: string, problems: readonly Problem[] = []) {
    super(message);
    this.kind = kind;
    this.problems = problems;
  }
}

/** An `invalid` error out of field problems; the message lists them for callers that show only one line. */
export function invalid(problems: readonly Problem[]): DomainError {
  return new DomainError("invalid", problems.map(({ path, message }) => `${path}: ${message}`).join("; "), problems);
}
