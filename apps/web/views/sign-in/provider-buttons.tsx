/** @jsxImportSource preact */
import type { Frame } from "../frame.ts";

export type UpstreamButton = { id: string; name: string };

/**
 * A button for each provider, in a form that has the CSRF token, the continuation, "Keep me signed in" and the address.
 * UP-02.
 */
export function UpstreamButtons({ frame, providers }: { frame: Frame; providers: readonly UpstreamButton[] }) {
  return providers.map(({ id, name }) => (
    <button class="button quiet" type="submit" formaction={`/sign-in/with/${id}`} formnovalidate>
      {frame.texts.upstream.continueWith(name)}
    </button>
  ));
}
