/** @jsxImportSource hono/jsx */
import type { Frame } from "../server/pages/frame.ts";
import { Layout } from "./layout.tsx";

/** After signing out of a session that came from a provider. UP-12. */
export function SignedOutPage({ frame, provider, onwards }: { frame: Frame; provider: { name: string; url: string }; onwards: string }) {
  const { upstream } = frame.texts;
  return (
    <Layout frame={frame} title={upstream.signedOut}>
      <div class="card">
        <div class="heading">
          <h1>{upstream.signedOut}</h1>
          <p>{upstream.stillSignedIn(provider.name)}</p>
        </div>
        <a class="button" href={provider.url}>
          {upstream.alsoSignOut(provider.name)}
        </a>
        <a class="button quiet" href={onwards}>
          {upstream.signInAgain}
        </a>
      </div>
    </Layout>
  );
}
