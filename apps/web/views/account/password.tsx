/** @jsxImportSource preact */
import { NewPasswordField } from "../fields.tsx";
import { Hidden } from "../layout.tsx";
import { type AccountFrame, AccountLayout, PageHead } from "./layout.tsx";

type PasswordProps = AccountFrame & {
  hasPassword: boolean;
  /** Not after a sign-in with a passkey: that proved more than the password does. PW-08. */
  asksCurrent: boolean;
  leastCharacters: number;
  problem?: string | undefined;
  field?: "current" | "password" | undefined;
};

/** Changes the password, or sets the first one. PW-08. */
export function PasswordPage(props: PasswordProps) {
  const { frame, csrf, user, hasPassword, asksCurrent, leastCharacters, problem, field } = props;
  const { password } = frame.texts;
  const title = hasPassword ? password.title : password.setTitle;
  return (
    <AccountLayout {...props} title={title} current="/account/security" problem={problem}>
      <PageHead title={title}>{hasPassword ? password.text : password.setText}</PageHead>
      <section class="card">
        <form class="stack" method="post" action="/account/password">
          <Hidden values={{ csrf }} />
          {asksCurrent ? (
            <div class="field">
              <label for="current">{password.current}</label>
              <input
                id="current"
                name="current"
                type="password"
                autocomplete="current-password"
                required
                autofocus={field !== "password"}
                {...(field === "current" ? { "aria-describedby": "problem", "aria-invalid": "true" as const } : {})}
              />
            </div>
          ) : null}
          <NewPasswordField
            label={password.new}
            name="password"
            account={user.email}
            rule={password.rule(leastCharacters)}
            autofocus={!asksCurrent || field === "password"}
            invalid={field === "password"}
          />
          <label class="check">
            <input type="checkbox" name="apps" value="on" /> {password.disconnectApps}
          </label>
          <div class="actions">
            <button class="button" type="submit">
              {hasPassword ? password.change : password.set}
            </button>
          </div>
        </form>
      </section>
    </AccountLayout>
  );
}

type PasswordSectionProps = Pick<AccountFrame, "frame"> & { hasPassword: boolean; changed: string | undefined };

/** The password on /account/security. */
export function PasswordSection({ frame, hasPassword, changed }: PasswordSectionProps) {
  const { password } = frame.texts;
  const state = !hasPassword
    ? password.none
    : changed === undefined
      ? password.unchanged
      : password.lastChanged(changed);
  return (
    <section class="card" aria-labelledby="password-section">
      <div class="section-head">
        <div class="heading">
          <h2 id="password-section">{password.section}</h2>
          <p class="small">{state}</p>
        </div>
        <a class="button quiet compact" href="/account/password">
          {hasPassword ? password.change : password.setTitle}
        </a>
      </div>
    </section>
  );
}
