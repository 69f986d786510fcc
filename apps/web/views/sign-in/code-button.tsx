/** @jsxImportSource preact */
import type { Frame } from "../frame.ts";

/** In the sign-in form: sends the address that was typed there to /sign-in/code instead. ML-01. */
export function EmailCodeButton({ frame }: { frame: Frame }) {
  return (
    <button class="button quiet" type="submit" formaction="/sign-in/code" formnovalidate name="action" value="send">
      {frame.texts.emailSignIn.button}
    </button>
  );
}
