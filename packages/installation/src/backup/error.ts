/** A backup that cannot be made, copied, verified or restored. Each problem is a sentence. */
export class BackupError extends Error {
  override readonly name = "BackupError";
  readonly exitCode: 1 | 2;

  constructor(problems: readonly string[], exitCode: 1 | 2 = 1, options?: ErrorOptions) {
    super(problems.join("\n  "), options);
    this.exitCode = exitCode;
  }
}
