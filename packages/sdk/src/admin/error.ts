/** One field of the input that the server refused. */
export type AdminProblem = { path: string; message: string };

/** A call that the server refused or did not answer. It never contains the token. PK-58. */
export class AdminError extends Error {
  override readonly name = "AdminError";
  /** As the server names it: `BAD_REQUEST`, `FORBIDDEN`, `CONFLICT`, …; `UNREACHABLE` if there was no usable answer. */
  readonly code: string;
  /** The status of the response; undefined if there was none. */
  readonly status: number | undefined;
  /** Finds the call in the server's log. */
  readonly requestId: string | undefined;
  /** What is wrong with the input, field by field. */
  readonly problems: readonly AdminProblem[];

  constructor(
    code: string,
    message: string,
    {
      status,
      requestId,
      problems = [],
      ...options
    }: ErrorOptions & {
      status?: number | undefined;
      requestId?: string | undefined;
      problems?: readonly AdminProblem[] | undefined;
    } = {},
  ) {
    super(message, options);
    this.code = code;
    this.status = status;
    this.requestId = requestId;
    this.problems = problems;
  }
}
