import type { ReactNode } from "react";
import { SignInButton, SignOutButton } from "./buttons.tsx";
import { useUser, type WithPath } from "./use-user.ts";

export type UserButtonProps = WithPath & {
  className?: string;
  /** Further entries of the menu, above *Sign out*. */
  children?: ReactNode;
};

/** The user with a menu to sign out, or *Sign in*. Unstyled: give it a `className`. Nothing until it is known. PK-55. */
export function UserButton({ path, className, children }: UserButtonProps): ReactNode {
  const { status, user } = useUser({ path });
  if (status === "signed-out") return <SignInButton path={path} className={className} />;
  if (!user) return null;
  return (
    <details className={className}>
      <summary>{user.name ?? user.email ?? user.id}</summary>
      {user.name && user.email && <div>{user.email}</div>}
      {children}
      <SignOutButton path={path} />
    </details>
  );
}
