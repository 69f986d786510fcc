/** @jsxImportSource preact */

import type { Continuation } from "@gatehouse/accounts";
import type { Texts } from "@gatehouse/languages";
import { Hidden } from "./layout.tsx";

type SignedInAsProps = {
  texts: Texts;
  /** Shown above the email instead of "Signed in as". */
  name?: string;
  email: string;
  csrf: string;
  continuation: Continuation;
};

/** The current account, with a button that switches accounts and keeps the pending request. */
export function SignedInAs({ texts: { layout }, name, email, csrf, continuation }: SignedInAsProps) {
  return (
    <div class="who">
      {name === undefined ? (
        <span>
          <span class="muted">{layout.signedInAs}</span> <bdi>{email}</bdi>
        </span>
      ) : (
        <span>
          <bdi class="name">{name}</bdi>
          <br />
          <bdi class="muted">{email}</bdi>
        </span>
      )}
      <form method="post" action="/sign-out">
        <Hidden values={{ csrf, ...continuation }} />
        <button class="link" type="submit">
          {layout.notYou}
        </button>
      </form>
    </div>
  );
}
