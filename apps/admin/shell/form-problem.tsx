import { Alert } from "@mantine/core";
import { messageOf, problemsOf } from "../trpc/errors.ts";

/** Why the form's change was refused; nothing while it was not, or where the fields (`shownAt`) say it themselves. */
export function FormProblem({ error, shownAt = [] }: { error: unknown; shownAt?: readonly string[] }) {
  if (error === null || error === undefined) return null;
  const paths = Object.keys(problemsOf(error));
  if (paths.length > 0 && paths.every((path) => shownAt.includes(path))) return null;
  return (
    <Alert color="red" variant="light" role="alert">
      {messageOf(error)}
    </Alert>
  );
}
