import type { Attention } from "@/trpc/types.ts";

type Mend = Attention["items"][number]["mend"];

const PAGES = {
  deliveries: { href: "/deliveries", label: "Open deliveries" },
  mail: { href: "/mail", label: "Open mail" },
  users: { href: "/users/invitations", label: "Invite an admin" },
  keys: { href: "/keys", label: "Open signing keys" },
  audit: { href: "/audit", label: "Open audit log" },
  "api-tokens": { href: "/settings/api-tokens", label: "Open API tokens" },
} as const;

/** The page that mends a finding, and what its link says; undefined if no page does. CO-09. */
export function mendOf(mend: Mend): { href: string; label: string } | undefined {
  if (mend === null) return undefined;
  if (mend.page === "client") {
    const query = new URLSearchParams({
      ...(mend.name !== undefined && { client: mend.name }),
      environment: mend.environment,
      tab: mend.tab,
    });
    return { href: `/applications/${encodeURIComponent(mend.applicationId)}?${query}`, label: "Open secrets" };
  }
  if (mend.page === "endpoint") return { href: `/webhooks/${encodeURIComponent(mend.slug)}`, label: "Open provider" };
  if (mend.page === "failures") {
    const group = mend.group === undefined ? `?cause=${encodeURIComponent(mend.cause)}` : `/group/${encodeURIComponent(mend.group)}`;
    return { href: `/failures${group}`, label: "Open failures" };
  }
  return PAGES[mend.page];
}
