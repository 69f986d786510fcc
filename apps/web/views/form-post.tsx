/** @jsxImportSource preact */
import { createHash } from "node:crypto";
import type { Frame } from "./frame.ts";
import { Hidden, Layout } from "./layout.tsx";

/** Without the button, which could send the code a second time. */
const SUBMIT =
  'const form = document.getElementById("response"); form.querySelector("button").disabled = true; form.submit();';

/** The source of the page's only script, for its policy. */
export const FORM_POST_SCRIPT = `'sha256-${createHash("sha256").update(SUBMIT).digest("base64")}'` as const;

type FormPostProps = { frame: Frame; to: string; host: string; fields: Record<string, string> };

/**
 * Sends the response to the client as a form. Without scripts, the user presses the button. OAuth 2.0 Form Post
 * Response Mode §2, AZ-21.
 */
export function FormPostPage({ frame, to, host, fields }: FormPostProps) {
  const { formPost, errors } = frame.texts;
  return (
    <Layout frame={frame} title={formPost.title}>
      <div class="card">
        <div class="heading">
          <h1>{formPost.title}</h1>
          <p>{formPost.text}</p>
        </div>
        <form class="stack" id="response" method="post" action={to}>
          <Hidden values={fields} />
          <button class="button" type="submit">
            {errors.continueTo(host)}
          </button>
        </form>
      </div>
      <script dangerouslySetInnerHTML={{ __html: SUBMIT }} />
    </Layout>
  );
}
