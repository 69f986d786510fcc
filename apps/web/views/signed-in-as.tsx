/** @jsxImportSource hono/jsx */
import { Hidden } from "./layout.tsx";
import type { Continuation } from "./sign-in.tsx";

/** The current account, with a button that switches accounts and keeps the pending request. */
export function SignedInAs({ email, csrf, continuation }: { email: string; csrf: string; continuation: Continuation }) {
  return (
    <div class="who">
      <span>
        <span class="muted">Signed in as</span> {email}
      </span>
      <form method="post" action="/sign-out">
        <Hidden values={{ csrf, ...continuation }} />
        <button class="link" type="submit">
          Not you?
        </button>
      </form>
    </div>
  );
}
