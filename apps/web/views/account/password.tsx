/** @jsxImportSource preact */
import { NewPasswordField, PasswordField } from "../fields.tsx";
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
    <AccountLayout {...props} title={title} current="/account/security" problem={undefined} script>
      <PageHead title={title}>{hasPassword ? password.text : password.setText}</PageHead>
      <section class="card">
        <form class="stack" method="post" action="/account/password" novalidate>
          <Hidden values={{ csrf }} />
          {asksCurrent ? (
            <PasswordField
              frame={frame}
              label={password.current}
              name="current"
              autofocus={field !== "password"}
              problem={field === "current" ? problem : undefined}
            />
          ) : null}
          <NewPasswordField
            frame={frame}
            label={password.new}
            name="password"
            account={user.email}
            least={leastCharacters}
            autofocus={!asksCurrent || field === "password"}
            problem={field === "password" ? problem : undefined}
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
