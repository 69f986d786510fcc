/** @jsxImportSource hono/jsx */
import type { Frame } from "../server/pages/frame.ts";
import { Hidden } from "./layout.tsx";

export type UpstreamButton = { id: string; name: string };

type UpstreamButtonsProps = {
  frame: Frame;
  providers: readonly UpstreamButton[];
  /** The CSRF token, the continuation, and the address as far as it is known. */
  fields: Record<string, string | undefined>;
};

/** A form with one button for each provider. UP-02. */
export function UpstreamButtons({ frame, providers, fields }: UpstreamButtonsProps) {
  return providers.map(({ id, name }) => (
    <form class="stack" method="post" action={`/sign-in/with/${id}`}>
      <Hidden values={fields} />
      <button class="button quiet" type="submit">
        {frame.texts.upstream.continueWith(name)}
      </button>
    </form>
  ));
}
