/** @jsxImportSource preact */
import type { TotpSetup } from "@gatehouse/accounts";
import { RecoveryCodes, TotpSetupForm } from "../../sign-in/second-step.tsx";
import { type AccountFrame, AccountLayout } from "../layout.tsx";

type AuthenticatorProps = AccountFrame & { setup: TotpSetup; problem?: string | undefined };

/** /account/security/authenticator: sets up an authenticator app. MF-03. */
export function AuthenticatorPage({ setup, ...account }: AuthenticatorProps) {
  const { frame, csrf, problem } = account;
  const { secondStep } = frame.texts;
  return (
    <AccountLayout {...account} title={secondStep.setUpTitle} current="/account/security">
      <section class="card">
        <div class="heading">
          <h1>{secondStep.setUpTitle}</h1>
          <p>{secondStep.setUpText}</p>
        </div>
        <TotpSetupForm
          {...{ frame, csrf, problem, setup }}
          fields={{ action: "add" }}
          action="/account/security/authenticator"
        />
      </section>
    </AccountLayout>
  );
}

/** Recovery codes that were just made. `next`: where the button leads. */
export function RecoveryCodesPage({
  codes,
  next,
  ...account
}: AccountFrame & { codes: readonly string[]; next: string }) {
  const { secondStep } = account.frame.texts;
  return (
    <AccountLayout {...account} title={secondStep.codesTitle} current="/account/security" script>
      <RecoveryCodes frame={account.frame} codes={codes}>
        <a class="button" href={next}>
          {secondStep.submit}
        </a>
      </RecoveryCodes>
    </AccountLayout>
  );
}
