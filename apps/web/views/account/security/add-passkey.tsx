/** @jsxImportSource preact */
import type { Frame } from "../../frame.ts";
import { Alert, Layout } from "../../layout.tsx";
import { AddPasskeyButton, type Ceremony } from "../../sign-in/passkeys.tsx";

type AddPasskeyPageProps = {
  frame: Frame;
  csrf: string;
  /** Undefined if no passkey can be added. */
  ceremony: Ceremony | undefined;
  /** Whether passkeys are off. */
  off: boolean;
  problem?: string | undefined;
};

/** The page that makes a passkey. WA-03. */
export function AddPasskeyPage({ frame, csrf, ceremony, off, problem }: AddPasskeyPageProps) {
  const texts = frame.texts.passkeys;
  return (
    <Layout frame={frame} title={texts.add} csrf={csrf} script>
      <div class="card">
        <div class="heading">
          <h1>{texts.add}</h1>
          <p>{texts.addIntro}</p>
        </div>
        <Alert>{problem}</Alert>
        {ceremony ? (
          <AddPasskeyButton
            ceremony={ceremony}
            action="/account/security/passkeys"
            fields={{ csrf }}
            label={texts.add}
            texts={texts}
          />
        ) : (
          <p class="note">{off ? texts.off : texts.full}</p>
        )}
      </div>
      <p class="below">
        <a href="/account/security">{texts.backToSecurity}</a>
      </p>
    </Layout>
  );
}
