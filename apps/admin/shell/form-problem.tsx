import { Alert } from "@mantine/core";
import { messageOf } from "../trpc/errors.ts";

/** Why the form's change was refused; nothing while it was not. */
export function FormProblem({ error }: { error: unknown }) {
  if (error === null || error === undefined) return null;
  return (
    <Alert color="red" variant="light" role="alert">
      {messageOf(error)}
    </Alert>
  );
}
