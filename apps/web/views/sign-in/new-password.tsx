/** @jsxImportSource preact */

import type { Continuation } from "@gatehouse/accounts";
import { NewPasswordField } from "../fields.tsx";
import type { Frame } from "../frame.ts";
import { Hidden, Layout } from "../layout.tsx";
import { Rich } from "../rich.tsx";

export type NewPasswordProps = {
  frame: Frame;
  csrf: string;
  /** The ticket, and where the sign-in continues. */
  fields: Continuation & { ticket: string };
  email: string;
  leastCharacters: number;
  problem?: string | undefined;
};

/** Between a sign-in and its session: the old password is right, but may not be used any longer. PW-04, UM-03. */
export function NewPasswordPage({ frame, csrf, fields, email, leastCharacters, problem }: NewPasswordProps) {
  const { password } = frame.texts;
  return (
    <Layout frame={frame} title={password.mustChangeTitle} script>
      <div class="card">
        <div class="heading">
          <h1>{password.mustChangeTitle}</h1>
          <p>
            <Rich text={password.mustChangeText} slots={{ email: <bdi>{email}</bdi> }} />
          </p>
        </div>
        <form class="stack" method="post" action="/sign-in/new-password" novalidate>
          <Hidden values={{ csrf, ...fields }} />
          <NewPasswordField
            frame={frame}
            label={password.new}
            name="password"
            account={email}
            least={leastCharacters}
            autofocus
            problem={problem}
          />
          <button class="button" type="submit">
            {password.set}
          </button>
        </form>
      </div>
    </Layout>
  );
}
