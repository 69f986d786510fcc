import type { Attention, Me } from "@/trpc/types.ts";

type Item = Attention["items"][number];
type Fix = Item["fix"];

/** Whether this user can do something about a finding. */
export function mayAct({ who = "admin" }: Pick<Item, "who">, { can }: Pick<Me, "can">): boolean {
  return who === "admin" ? can.manageProduction : can.manageDevelopment;
}

/** The first line of the overview: how many findings there are, and who can do something about them. CO-02, CO-09. */
export function headline(findings: readonly Pick<Item, "who">[], me: Pick<Me, "can">): string {
  if (findings.length === 0) return "All well";
  const mine = findings.filter((one) => mayAct(one, me)).length;
  const others = findings.length - mine;
  const needs = (many: number) => `${many} ${many === 1 ? "thing needs" : "things need"}`;
  if (mine === 0) return `${needs(others)} ${me.can.manageDevelopment ? "an admin" : "attention"}`;
  return others === 0
    ? `${needs(mine)} you`
    : `${needs(mine)} you, ${others} ${others === 1 ? "needs" : "need"} an admin`;
}

/** Pages that only admins can open. */
const FOR_ADMINS: readonly string[] = ["mail", "users", "api-tokens"];

const PAGES = {
  deliveries: { href: "/deliveries?environment=all", label: "Open deliveries" },
  mail: { href: "/mail", label: "Open mail" },
  users: { href: "/users/invitations?dialog=invite", label: "Invite an admin" },
  keys: { href: "/keys", label: "Open signing keys" },
  audit: { href: "/audit", label: "Open audit log" },
  "api-tokens": { href: "/settings/api-tokens", label: "Open API tokens" },
} as const;

/**
 * The page that fixes a finding, and what its link says; undefined if no page does, or none that this user can open.
 * CO-09.
 */
export function fixOf(fix: Fix, { can }: Pick<Me, "can">): { href: string; label: string } | undefined {
  if (fix === null || (FOR_ADMINS.includes(fix.page) && !can.manageUsers)) return undefined;
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
