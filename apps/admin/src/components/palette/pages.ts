import { SETTINGS_SECTIONS } from "@/features/settings/sections.ts";
import { navigationFor } from "@/navigation.ts";
import type { Me } from "@/trpc/types.ts";
import type { Item } from "./items.ts";

/** What other products call a page, by its URL. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  "/": "dashboard home statistics metrics charts",
  "/status": "health monitoring alerts backups disk jobs",
  "/applications": "apps oauth clients redirect uris secrets",
  "/self-registered": "dynamic client registration dcr cimd mcp",
  "/resources": "scopes audiences permissions",
  "/failures": "logs errors refusals",
  "/deliveries": "webhook logs events inbox",
  "/audit": "logs activity history changes",
  "/mail": "email outbox",
  "/mailbox": "email",
  "/users": "members people accounts team",
  "/sign-ins": "logins log ins attempts lockouts wrong passwords",
  "/webhooks": "hooks endpoints",
  "/keys": "jwks certificates",
  "/sign-in-providers": "social login sso idp identity oidc upstream",
  "/doctor": "health diagnostics checks",
  "/settings": "preferences options",
  "/settings/branding": "theme logo colours colors",
  "/settings/registration": "sign-up dcr",
  "/settings/mail": "email smtp",
  "/settings/retention": "logs",
  "/settings/api-tokens": "api keys automation ci",
  "/settings/configuration": "export apply drift manifest as code",
};

/** Pages that are not in the sidebar. */
const FURTHER: readonly { href: string; label: string; names: string }[] = [
  { href: "/users/invitations", label: "Invitations", names: "invites pending members" },
  { href: "/applications/removed", label: "Removed applications and clients", names: "deleted trash restore" },
  { href: "/?getting-started=1", label: "Getting started", names: "onboarding tutorial first steps" },
];

/** Every page that this user can open, with its other names. */
export function pagesFor(me: Me): Item[] {
  const sidebar = navigationFor(me).flatMap(({ items }) => items);
  const settings = sidebar.some(({ href }) => href === "/settings")
    ? SETTINGS_SECTIONS.map(({ value, label }) => ({ href: `/settings/${value}`, label: `Settings: ${label}` }))
    : [];
  const listed = [...sidebar, ...settings].map(({ href, label }) => ({ href, label, names: OTHER_NAMES[href] }));
  return [...listed, ...FURTHER].map(({ href, label, names }) => ({
    id: `page-${href}`,
    group: "Pages",
    label,
    names,
    href,
  }));
}
