/** @jsxImportSource preact */
import type { User } from "@gatehouse/auth";
import type { Texts } from "@gatehouse/languages";
import type { ComponentChildren } from "preact";
import type { Frame } from "../frame.ts";
import { Alert, Hidden, Layout } from "../layout.tsx";

export type AccountFrame = {
  frame: Frame;
  csrf: string;
  user: User;
  /** The URL of the user's picture. */
  picture: string | undefined;
  /** For users who may use the console. */
  consoleUrl: string | undefined;
  notice: string | undefined;
};

const PAGES = [
  ["/account", "profile", "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8Zm-7 8a7 7 0 0 1 14 0"],
  ["/account/security", "security", "M12 3 5 6v5c0 4.5 3 8 7 10 4-2 7-5.5 7-10V6l-7-3Z"],
  ["/account/sessions", "sessions", "M4 5h16v11H4zM9 20h6M12 16v4"],
  ["/account/apps", "apps", "M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h6v6h-6z"],
  ["/account/activity", "activity", "M3 12h4l3 8 4-16 3 8h4"],
] as const satisfies [path: string, name: keyof Texts["account"], icon: string][];

type AccountLayoutProps = AccountFrame & {
  title: string;
  /** The entry of the navigation that the page belongs to. */
  current: (typeof PAGES)[number][0];
  problem?: string | undefined;
  /** As in {@link Layout}. */
  script?: boolean;
  children?: ComponentChildren;
};

/** The layout of the account's pages: one navigation beside them, above them on a phone. */
export function AccountLayout({
  frame,
  csrf,
  user,
  picture,
  consoleUrl,
  notice,
  title,
  current,
  problem,
  script = false,
  children,
}: AccountLayoutProps) {
  const { account, layout } = frame.texts;
  const corner = (
    <div class="corner">
      {consoleUrl ? (
        <a class="button quiet compact" href={consoleUrl}>
          {account.console}
        </a>
      ) : null}
      <form method="post" action="/sign-out">
        <Hidden values={{ csrf }} />
        <button class="button quiet compact" type="submit">
          {layout.signOut}
        </button>
      </form>
    </div>
  );
  return (
    <Layout frame={frame} title={title} width="account" corner={corner} csrf={csrf} script={script}>
      <div class="side">
        <div class="person">
          <Avatar name={user.name} picture={picture} />
          <div class="person-names">
            <strong>
              <bdi>{user.name}</bdi>
            </strong>
            <span class="muted" dir="ltr">
              {user.email}
            </span>
          </div>
        </div>
        <nav aria-label={account.navigation}>
          <ul>
            {PAGES.map(([path, name, icon]) => (
              <li>
                <a href={path} aria-current={path === current ? "page" : undefined}>
                  <svg viewBox="0 0 24 24" aria-hidden="true">
                    <path d={icon} />
                  </svg>
                  {account[name]}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      </div>
      <div class="pane">
        {notice ? (
          <p class="note success" role="status">
            {notice}
          </p>
        ) : null}
        <Alert>{problem}</Alert>
        {children}
      </div>
    </Layout>
  );
}

/** The user's picture, or the first letter of the name. Decoration: the name stands beside it. */
export function Avatar({
  name,
  picture,
  large = false,
}: {
  name: string;
  picture: string | undefined;
  large?: boolean;
}) {
  const size = large ? "avatar large" : "avatar";
  if (picture !== undefined) return <img class={size} src={picture} alt="" width="40" height="40" />;
  const [letter = ""] = new Intl.Segmenter().segment(name.trim())[Symbol.iterator]().next().value?.segment ?? "";
  return (
    <span class={size} aria-hidden="true">
      {letter.toLocaleUpperCase()}
    </span>
  );
}

/** Title and introduction of an account page. */
export function PageHead({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="heading page-head">
      <h1>{title}</h1>
      {children ? <p>{children}</p> : null}
    </div>
  );
}
