/** @jsxImportSource preact */
import { amount, moment } from "@gatehouse/languages";
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

type RestoreProps = {
  frame: Frame;
  csrf: string;
  ticket: string;
  deleteAfter: number;
  request: string | undefined;
  next: string | undefined;
};

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

/** Offers the user's own data as a file. RG-10. */
export function ExportPage({ frame, csrf }: { frame: Frame; csrf: string }) {
  const { deletion } = frame.texts;
  return (
    <Layout frame={frame} title={deletion.exportTitle} csrf={csrf}>
      <div class="card">
        <div class="heading">
          <h1>{deletion.exportTitle}</h1>
          <p>{deletion.exportText}</p>
        </div>
        <form class="stack" method="post" action="/account/export">
          <Hidden values={{ csrf }} />
          <button class="button" type="submit">
            {deletion.exportSubmit}
          </button>
        </form>
      </div>
      <p class="below">
        <a href="/account">{deletion.back}</a>
      </p>
    </Layout>
  );
}
