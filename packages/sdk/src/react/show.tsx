import type { ReactNode } from "react";
import type { User } from "../session/session.ts";
import { useUser, type WithPath } from "./use-user.ts";

export type ShowProps = WithPath & {
  /** For whom: a function gets the user, or null if nobody is signed in. */
  when: "signed-in" | "signed-out" | ((user: User | null) => boolean);
  children: ReactNode;
  /** For everybody else, and until it is known. */
  fallback?: ReactNode;
};

/** Shows its children to some users only. It hides, it does not protect: everybody has the code of a page. PK-55. */
export function Show({ when, children, fallback = null, path }: ShowProps): ReactNode {
  const { status, user } = useUser({ path });
  if (status === "loading" || status === "unavailable") return fallback;
  return (typeof when === "function" ? when(user) : when === status) ? children : fallback;
}
