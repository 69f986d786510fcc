/** @jsxImportSource preact */
import type { Frame } from "../frame.ts";
import { Hidden, Layout } from "../layout.tsx";

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
