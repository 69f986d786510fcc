/** @jsxImportSource preact */
import { amount } from "@gatehouse/languages";
import type { Frame } from "../frame.ts";
import { Alert, Hidden, Layout } from "../layout.tsx";

type DeleteProps = { frame: Frame; csrf: string; graceDays: number; problem?: string | undefined };

/** Asks before an account is deleted. RG-10. */
export function DeleteAccountPage({ frame, csrf, graceDays, problem }: DeleteProps) {
  const { deletion } = frame.texts;
  return (
    <Layout frame={frame} title={deletion.title} csrf={csrf}>
      <div class="card">
        <div class="heading">
          <h1>{deletion.title}</h1>
          <p>{deletion.text}</p>
          <p>{graceDays === 0 ? deletion.noGrace : deletion.grace(amount(graceDays, "day", frame.locale))}</p>
        </div>
        <Alert>{problem}</Alert>
        <form class="stack" method="post" action="/account/delete">
          <Hidden values={{ csrf }} />
          <button class="button danger" type="submit">
            {deletion.submit}
          </button>
          <a class="button quiet" href="/account">
            {deletion.cancel}
          </a>
        </form>
      </div>
    </Layout>
  );
}
