import { policyAt } from "../routing/policy-lookup.ts";

/** What a request is for, in the order in which an overloaded server sheds it. OP-31 */
export type Rank = "console" | "pages" | "registration" | "introspection" | "token" | "webhooks" | "health";

const BY_BEGINNING: readonly (readonly [string, Rank])[] = [
  ["/trpc/", "console"],
  ["/api/deliveries/", "console"],
  ["/brand/", "pages"],
  ["/picture/", "pages"],
  ["/_next/", "pages"],
  ["/register/", "registration"],
  ["/api/webhooks/", "webhooks"],
];
const BY_PATH: Readonly<Record<string, Rank>> = {
  "/api/doctor": "console",
  "/register": "registration",
  "/introspect": "introspection",
  "/healthz": "health",
  "/readyz": "health",
};

/** The rank of a path as sent. Everything else of the protocol and of the product ranks with tokens. */
export function rankOf(pathname: string): Rank {
  const known = BY_PATH[pathname] ?? BY_BEGINNING.find(([beginning]) => pathname.startsWith(beginning))?.[1];
  if (known !== undefined) return known;
  return policyAt(pathname)?.kind === "endpoint" ? "token" : "pages";
}
