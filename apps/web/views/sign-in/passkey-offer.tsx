/** @jsxImportSource preact */

import type { Continuation } from "@gatehouse/accounts";
import { continuationQuery } from "../continuation.ts";
import type { Frame } from "../frame.ts";
import { Alert, Hidden, Layout } from "../layout.tsx";
import { AddPasskeyButton, type Ceremony } from "./passkeys.tsx";

type PasskeyOfferProps = {
  frame: Frame;
  continuation: Continuation;
  csrf: string;
  ceremony: Ceremony | undefined;
  problem?: string | undefined;
};

const PATH = "/sign-in/passkey-offer";

/** Offers a passkey between a password sign-in and where it continues. WA-13. */
export function PasskeyOfferPage({ frame, continuation, csrf, ceremony, problem }: PasskeyOfferProps) {
  const texts = frame.texts.passkeys;
  const action = PATH + continuationQuery(continuation);
  return (
    <Layout frame={frame} title={texts.offerTitle} csrf={csrf} script>
      <div class="card">
        <div class="heading">
          <h1>{texts.offerTitle}</h1>
          <p>{texts.offerText}</p>
        </div>
        <Alert>{problem}</Alert>
        <div class="stack-actions">
          {ceremony ? (
            <AddPasskeyButton
              ceremony={ceremony}
              action={action}
              fields={{ csrf, ...continuation }}
              label={texts.create}
              texts={texts}
            />
          ) : null}
          <form class="stack" method="post" action={action}>
            <Hidden values={{ csrf, ...continuation }} />
            <button class="button quiet" type="submit" name="action" value="skip">
              {texts.notNow}
            </button>
          </form>
        </div>
      </div>
    </Layout>
  );
}
