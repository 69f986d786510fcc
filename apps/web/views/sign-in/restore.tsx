/** @jsxImportSource preact */
import type { Continuation } from "@gatehouse/accounts";
import { moment } from "@gatehouse/languages";
import type { Frame } from "../frame.ts";
import { Hidden, Layout } from "../layout.tsx";

type RestoreProps = Continuation & { frame: Frame; csrf: string; ticket: string; deleteAfter: number };

/** After a right sign-in to an account that is marked for deletion. RG-10. */
export function RestorePage({ frame, csrf, ticket, deleteAfter, request, next }: RestoreProps) {
  const { deletion } = frame.texts;
  return (
    <Layout frame={frame} title={deletion.restoreTitle}>
      <div class="card">
        <div class="heading">
          <h1>{deletion.restoreTitle}</h1>
          <p>{deletion.restoreText(moment(deleteAfter, frame.locale))}</p>
        </div>
        <form class="stack" method="post" action="/sign-in/restore">
          <Hidden values={{ csrf, ticket, request, next }} />
          <button class="button" type="submit" autofocus>
            {deletion.restore}
          </button>
        </form>
      </div>
    </Layout>
  );
}
