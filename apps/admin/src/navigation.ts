import {
  type Icon,
  IconActivityHeartbeat,
  IconAlertTriangle,
  IconApi,
  IconApps,
  IconHistory,
  IconHome,
  IconInbox,
  IconKey,
  IconLogin,
  IconLogin2,
  IconMail,
  IconRobot,
  IconSettings,
  IconStethoscope,
  IconUsers,
  IconWebhook,
} from "@tabler/icons-react";
import type { Me, Role } from "@/trpc/types.ts";

type NavigationItem = {
  href: string;
  label: string;
  Icon: Icon;
  /**
   * The roles that can open the page, the one with most rights first; by default every role of the console can. CO-02.
   */
  roles?: readonly [Role, ...Role[]];
};

type NavigationGroup = { label: string | null; items: readonly NavigationItem[] };

/** The console's pages by group, in the order of the sidebar. A group without items is not shown. CO-01. */
const NAVIGATION: readonly NavigationGroup[] = [
  {
    label: null,
    items: [
      { href: "/", label: "Overview", Icon: IconHome },
      { href: "/status", label: "Status", Icon: IconActivityHeartbeat, roles: ["admin"] },
    ],
  },
  {
    label: "Connect",
    items: [
      { href: "/applications", label: "Applications", Icon: IconApps },
      { href: "/self-registered", label: "Self-registered", Icon: IconRobot },
      { href: "/resources", label: "API resources", Icon: IconApi },
    ],
  },
  {
    label: "Watch",
    items: [
      { href: "/failures", label: "Failures", Icon: IconAlertTriangle },
      { href: "/deliveries", label: "Deliveries", Icon: IconInbox },
      { href: "/audit", label: "Audit log", Icon: IconHistory },
      { href: "/mail", label: "Mail", Icon: IconMail, roles: ["admin"] },
    ],
  },
  {
    label: "People",
    items: [
      { href: "/users", label: "Users", Icon: IconUsers },
      { href: "/sign-ins", label: "Sign-ins", Icon: IconLogin },
    ],
  },
  {
    label: "Set up",
    items: [
      { href: "/webhooks", label: "Webhook providers", Icon: IconWebhook },
      { href: "/keys", label: "Signing keys", Icon: IconKey },
      { href: "/sign-in-providers", label: "Sign-in providers", Icon: IconLogin2 },
      { href: "/doctor", label: "Doctor", Icon: IconStethoscope, roles: ["admin", "developer"] },
      { href: "/settings", label: "Settings", Icon: IconSettings, roles: ["admin"] },
    ],
  },
];

/** True if `pathname` is the page at `href`, or one below it. */
export function isWithin(href: string, pathname: string): boolean {
  return pathname === href || (href !== "/" && pathname.startsWith(`${href}/`));
}

/** The section that a path belongs to; undefined outside all of them. */
export function sectionOf(pathname: string): NavigationItem | undefined {
  return NAVIGATION.flatMap(({ items }) => items).find(({ href }) => isWithin(href, pathname));
}

/** The groups with what this user can open. */
export function navigationFor(me: Me): NavigationGroup[] {
  return NAVIGATION.map(({ label, items }) => ({
    label,
    items: items.filter(({ roles }) => roles === undefined || roles.includes(me.user.role)),
  })).filter(({ items }) => items.length > 0);
}
