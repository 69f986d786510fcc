import { DomainError, type Problem } from "../../domain-error.ts";

/** A file that cannot be applied, with everything that is wrong with it. Nothing has been written. */
export class ManifestError extends DomainError {
  constructor(problems: readonly Problem[]) {
    super(
      "invalid",
      problems.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join("; "),
      problems,
    );
  }
}
