/** @jsxImportSource preact */
import type { Frame } from "./frame.ts";
import { Layout } from "./layout.tsx";

type AlsoSignOutProps = {
  frame: Frame;
  provider: { name: string; url: string };
  /** Where the user goes otherwise. */
  onwards: { label: string; href: string };
  note?: string | undefined;
};

/** After signing out of a session that came from a provider. UP-12. */
export function AlsoSignOutPage({ frame, provider, onwards, note }: AlsoSignOutProps) {
  const { upstream } = frame.texts;
  return (
    <Layout frame={frame} title={upstream.signedOut}>
      <div class="card">
        <div class="heading">
          <h1>{upstream.signedOut}</h1>
          <p>{upstream.stillSignedIn(provider.name)}</p>
          {note ? <p>{note}</p> : null}
        </div>
        <a class="button" href={provider.url}>
          {upstream.alsoSignOut(provider.name)}
        </a>
        <a class="button quiet" href={onwards.href}>
          {onwards.label}
        </a>
      </div>
    </Layout>
  );
}
