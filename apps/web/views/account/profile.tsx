/** @jsxImportSource preact */
import { LOCALE_NAMES, LOCALES } from "@gatehouse/languages";
import { Hidden } from "../layout.tsx";
import { type AccountFrame, AccountLayout, Avatar, PageHead } from "./layout.tsx";

export type ProfileProps = AccountFrame & {
  /** The name as typed, if it was refused. */
  name?: string | undefined;
  problem?: string | undefined;
  field?: "name" | "picture" | undefined;
  /** The token of the form that mails a code to an unverified address; undefined for no such form. */
  verifyCsrf?: string | undefined;
};

/** Who the user is: name, picture, address, language, and the ways out. RG-09. */
export function ProfilePage(props: ProfileProps) {
  const { frame, csrf, user, problem, field } = props;
  const { account } = frame.texts;
  const invalid = (which: string) =>
    field === which ? { "aria-describedby": "problem", "aria-invalid": "true" as const } : {};
  return (
    <AccountLayout {...props} title={account.title} current="/account" problem={problem}>
      <VerificationBanner {...props} />
      <PageHead title={account.profile}>{account.profileText}</PageHead>
      <section class="card">
        <PictureForms {...props} />
        <form class="stack" method="post" action="/account">
          <Hidden values={{ csrf }} />
          <div class="field">
            <label for="name">{account.name}</label>
            <input
              id="name"
              name="name"
              autocomplete="name"
              maxlength={80}
              required
              value={props.name ?? user.name}
              {...invalid("name")}
            />
          </div>
          <div class="field">
            <label for="locale">{account.language}</label>
            <select id="locale" name="locale">
              {LOCALES.map((locale) => (
                <option value={locale} lang={locale} selected={locale === frame.locale}>
                  {LOCALE_NAMES[locale]}
                </option>
              ))}
            </select>
            <small>{account.languageText}</small>
          </div>
          <div class="actions">
            <button class="button" type="submit" name="action" value="save">
              {account.save}
            </button>
          </div>
        </form>
      </section>
      <EmailSection {...props} />
      <DataSection {...props} />
    </AccountLayout>
  );
}

/** RG-02. */
function VerificationBanner({ frame, verifyCsrf, user: { email } }: ProfileProps) {
  const { verifyEmail } = frame.texts;
  if (verifyCsrf === undefined) return null;
  return (
    <form class="note stack" method="post" action="/verify-email">
      <Hidden values={{ csrf: verifyCsrf, of: "verify", email }} />
      <p>{verifyEmail.banner}</p>
      <div class="actions">
        <button class="button quiet compact" type="submit" name="action" value="send">
          {verifyEmail.bannerAction}
        </button>
      </div>
    </form>
  );
}

function PictureForms({ frame, csrf, user, picture, field }: ProfileProps) {
  const { account } = frame.texts;
  const invalid = field === "picture" ? { "aria-invalid": "true" as const } : {};
  return (
    <div class="picture">
      <Avatar name={user.name} picture={picture} large />
      <form class="stack" method="post" action="/account/picture" enctype="multipart/form-data">
        <Hidden values={{ csrf }} />
        <div class="field">
          <label for="picture">{account.picture}</label>
          <input
            id="picture"
            name="picture"
            type="file"
            accept="image/png,image/jpeg,image/webp"
            required
            aria-describedby={field === "picture" ? "problem" : "picture-rule"}
            {...invalid}
          />
          <small id="picture-rule">{account.pictureRule}</small>
        </div>
        <div class="actions">
          <button class="button quiet compact" type="submit" name="action" value="upload">
            {account.upload}
          </button>
          {picture ? (
            <button class="button quiet compact" type="submit" name="action" value="remove" formnovalidate>
              {account.removePicture}
            </button>
          ) : null}
        </div>
      </form>
    </div>
  );
}

function EmailSection({ frame, user }: ProfileProps) {
  const { account } = frame.texts;
  return (
    <section class="card" aria-labelledby="address">
      <div class="section-head">
        <div class="heading">
          <h2 id="address">{account.email}</h2>
          <p>
            <bdi>{user.email}</bdi>{" "}
            {user.emailVerifiedAt === null ? (
              <span class="badge attention">{account.unverified}</span>
            ) : (
              <span class="badge good">{account.verified}</span>
            )}
          </p>
        </div>
        <a class="button quiet compact" href="/account/email">
          {account.changeEmail}
        </a>
      </div>
    </section>
  );
}

function DataSection({ frame }: ProfileProps) {
  const { account } = frame.texts;
  return (
    <section class="card" aria-labelledby="data">
      <div class="heading">
        <h2 id="data">{account.yourData}</h2>
        <p class="small">{account.deleteText}</p>
      </div>
      <div class="actions">
        <a class="button quiet compact" href="/account/export">
          {account.download}
        </a>
        <a class="button quiet compact danger" href="/account/delete">
          {account.delete}
        </a>
      </div>
    </section>
  );
}
