/** @jsxImportSource preact */

import { NewPasswordField } from "./fields.tsx";
import type { Frame } from "./frame.ts";
import { Alert, Hidden, Layout } from "./layout.tsx";
import { Rich } from "./rich.tsx";

export type ResetPasswordProps = {
  frame: Frame;
  csrf: string;
  /** The hash of the link's token. */
  link: string;
  email: string;
  leastCharacters: number;
  needsRecoveryCode: boolean;
  problem?: string | undefined;
  field?: "password" | "recovery_code" | undefined;
};

/** Sets a new password by a mailed link. FP-02, FP-07. */
export function ResetPasswordPage({
  frame,
  csrf,
  link,
  email,
  leastCharacters,
  needsRecoveryCode,
  problem,
  field,
}: ResetPasswordProps) {
  const { reset } = frame.texts;
  return (
    <Layout frame={frame} title={reset.newTitle} csrf={csrf} script>
      <div class="card">
        <div class="heading">
          <h1>{reset.newTitle}</h1>
          <p>
            <Rich text={reset.newText} slots={{ email: <bdi>{email}</bdi> }} />
          </p>
        </div>
        <Alert>{field === "password" ? undefined : problem}</Alert>
        <form class="stack" method="post" action="/reset-password" novalidate>
          <Hidden values={{ csrf, link }} />
          <NewPasswordField
            frame={frame}
            label={reset.new}
            name="password"
            account={email}
            least={leastCharacters}
            autofocus={field !== "recovery_code"}
            problem={field === "password" ? problem : undefined}
          />
          {needsRecoveryCode ? <RecoveryCodeField frame={frame} invalid={field === "recovery_code"} /> : null}
          <button class="button" type="submit">
            {reset.set}
          </button>
        </form>
      </div>
    </Layout>
  );
}

function RecoveryCodeField({ frame, invalid }: { frame: Frame; invalid: boolean }) {
  const { reset } = frame.texts;
  return (
    <div class="field">
      <label for="recovery_code">{reset.recoveryCode}</label>
      <input
        id="recovery_code"
        name="recovery_code"
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        maxlength={80}
        required
        autofocus={invalid}
        dir="ltr"
        aria-describedby={invalid ? "problem" : "recovery-rule"}
        {...(invalid ? { "aria-invalid": "true" as const } : {})}
      />
      <small id="recovery-rule">{reset.recoveryText}</small>
    </div>
  );
}
