/** A problem with one field, and how to fix it. `path` is dotted: "redirectUris.0". */
export type Problem = { path: string; message: string };

export type DomainErrorKind = "invalid" | "not_found" | "conflict" | "forbidden" | "unauthorized" | "stale_sign_in";

/** What somebody else saved since a form was read. */
export type Conflict = {
  /** The values now, of the fields that the form has. */
  theirs: Record<string, unknown>;
  /** The version now: saving with it overwrites `theirs`. 0 for users, whose saves carry what was read. */
  version: number;
  /** Who changed it last and when (Unix seconds), by the audit log; null if its row is deleted. */
  by: string | null;
  at: number | null;
};

/**
 * The error that operations throw. Its message is for the caller: it says how to fix the problem and contains no
 * secret.
 */
export class DomainError extends Error {
  override readonly name = "DomainError";
  readonly kind: DomainErrorKind;
  readonly problems: readonly Problem[];

  /** Set if somebody else saved since the caller read. CO-45. */
  readonly conflict: Conflict | undefined;

  constructor(kind: DomainErrorKind, message: string, problems: readonly Problem[] = [], conflict?: Conflict) {
    super(message);
    this.kind = kind;
    this.problems = problems;
    this.conflict = conflict;
  }
}

/** An `invalid` error with these field problems; the message lists them for callers that show one line. */
export function invalid(problems: readonly Problem[]): DomainError {
  return new DomainError("invalid", problems.map(({ path, message }) => `${path}: ${message}`).join("; "), problems);
}
