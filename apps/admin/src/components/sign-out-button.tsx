import { Button } from "@mantine/core";

/** A plain form, so that it works without JavaScript. */
export function SignOutButton() {
  return (
    <form method="post" action="/auth/sign-out">
      <Button type="submit" variant="default">
        Sign out
      </Button>
    </form>
  );
}
