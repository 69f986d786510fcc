import type { AnchorHTMLAttributes, ButtonHTMLAttributes, MouseEvent, ReactNode } from "react";
import { storeOf } from "./store.ts";
import type { WithPath } from "./use-user.ts";

export type SignInButtonProps = WithPath & {
  /** The path of this app to come back to. Default: the page where it was pressed; `/` without scripts. */
  returnTo?: string;
} & Omit<AnchorHTMLAttributes<HTMLAnchorElement>, "href">;

/** A link to the sign-in handler. It works without scripts, and nothing loads it ahead. PK-55. */
export function SignInButton({
  path = "/auth",
  returnTo,
  children = "Sign in",
  onClick,
  ...rest
}: SignInButtonProps): ReactNode {
  const signIn = (to?: string) => `${path}/sign-in${to === undefined ? "" : `?return_to=${encodeURIComponent(to)}`}`;
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    event.currentTarget.href = signIn(returnTo ?? location.pathname + location.search);
  };
  return (
    <a {...rest} href={signIn(returnTo)} onClick={follow}>
      {children}
    </a>
  );
}

export type SignOutButtonProps = WithPath & Omit<ButtonHTMLAttributes<HTMLButtonElement>, "type" | "formAction">;

/** A form that posts to the sign-out handler. It works without scripts. PK-55. */
export function SignOutButton({ path = "/auth", children = "Sign out", ...rest }: SignOutButtonProps): ReactNode {
  return (
    <form method="post" action={`${path}/sign-out`} onSubmit={() => storeOf(path).leave()}>
      <button {...rest} type="submit">
        {children}
      </button>
    </form>
  );
}
