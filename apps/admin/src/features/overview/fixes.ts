import type { Attention } from "@/trpc/types.ts";

type Fix = Attention["items"][number]["fix"];

const PAGES = {
  deliveries: { href: "/deliveries?environment=all", label: "Open deliveries" },
  mail: { href: "/mail", label: "Open mail" },
  users: { href: "/users/invitations", label: "Invite an admin" },
  keys: { href: "/keys", label: "Open signing keys" },
  audit: { href: "/audit", label: "Open audit log" },
  "api-tokens": { href: "/settings/api-tokens", label: "Open API tokens" },
} as const;

/** The page that fixes a finding, and what its link says; undefined if no page does. CO-09. */
export function fixOf(fix: Fix): { href: string; label: string } | undefined {
  if (fix === null) return undefined;
  if (fix.page === "client") {
    const query = new URLSearchParams({
      ...(fix.name !== undefined && { client: fix.name }),
      environment: fix.environment,
      tab: fix.tab,
    });
    return { href: `/applications/${encodeURIComponent(fix.applicationId)}?${query}`, label: "Open secrets" };
  }
  if (fix.page === "endpoint") return { href: `/webhooks/${encodeURIComponent(fix.slug)}`, label: "Open provider" };
  if (fix.page === "failures") {
    const group =
      fix.group === undefined ? `?cause=${encodeURIComponent(fix.cause)}` : `/group/${encodeURIComponent(fix.group)}`;
    return { href: `/failures${group}`, label: "Open failures" };
  }
  return PAGES[fix.page];
}
