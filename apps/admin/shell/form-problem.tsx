import { Alert } from "@mantine/core";
import { messageOf, problemsOf } from "../trpc/errors.ts";

/** Why the form's change was refused, one line for each problem; without those that fields (`shownAt`) say themselves. */
export function FormProblem({ error, shownAt = [] }: { error: unknown; shownAt?: readonly string[] }) {
  if (error === null || error === undefined) return null;
  const problems = Object.entries(problemsOf(error));
  const lines = problems.length === 0 ? [messageOf(error)] : problems.filter(([path]) => !shownAt.includes(path)).map(([, text]) => text);
  if (lines.length === 0) return null;
  return (
    <Alert color="red" variant="light" role="alert">
      {[...new Set(lines)].map((line) => (
        <div key={line}>{line}</div>
      ))}
    </Alert>
  );
}
