import type { Me } from "@/trpc/types.ts";
import { dialogHref } from "../use-opened-by-link.ts";
import { ACTIONS, type Item } from "./items.ts";

/** `may`: what the server says that the user may do; without it everybody may. `names`: other words that find it. */
type Action = { label: string; names?: string; may?: keyof Me["can"]; href: string };

const EVERYWHERE: readonly Action[] = [
  {
    label: "New application",
    names: "create add register client app",
    may: "manageDevelopment",
    href: "/applications/new",
  },
  {
    label: "New webhook endpoint",
    names: "create add hook provider",
    may: "manageDevelopment",
    href: dialogHref("/webhooks", "new"),
  },
  {
    label: "Send a test event",
    names: "trigger webhook sample delivery",
    may: "manageDevelopment",
    href: dialogHref("/deliveries", "send"),
  },
  { label: "Invite user", names: "create add new member", may: "manageUsers", href: dialogHref("/users", "invite") },
  {
    label: "Rotate signing key",
    names: "new key rs256",
    may: "manageProduction",
    href: dialogHref("/keys", "rotate-RS256"),
  },
  {
    label: "New API token",
    names: "create add key",
    may: "manageUsers",
    href: dialogHref("/settings/api-tokens", "new"),
  },
  {
    label: "Add sign-in provider",
    names: "create new social login sso google",
    may: "manageUsers",
    href: dialogHref("/sign-in-providers", "new"),
  },
  { label: "New API resource", names: "create add scope audience", may: "manageUsers", href: "/resources/new" },
];

/** What this user can start from any page. The page that an action opens asks before it changes anything. */
export function actionsFor({ can }: Pick<Me, "can">): Item[] {
  return EVERYWHERE.filter(({ may }) => may === undefined || can[may]).map(({ label, names, href }) => ({
    id: `do-${label}`,
    group: ACTIONS,
    label,
    names,
    href,
  }));
}

const SCHEMES = [
  ["light", "Use the light theme"],
  ["dark", "Use the dark theme"],
  ["auto", "Use the system’s theme"],
] as const;

type Own = { setColorScheme: (scheme: "light" | "dark" | "auto") => void; setZone: (zone: "local" | "utc") => void };

/** What everybody can do with their own session and browser. */
export function ownActions({ setColorScheme, setZone }: Own): Item[] {
  const own = (label: string, names: string, run: () => void): Item => ({
    id: `do-${label}`,
    group: ACTIONS,
    label,
    names,
    run,
  });
  return [
    ...SCHEMES.map(([scheme, label]) =>
      own(label, "switch appearance color colour mode", () => setColorScheme(scheme)),
    ),
    own("Show times in UTC", "time zone", () => setZone("utc")),
    own("Show local times", "time zone", () => setZone("local")),
    own("Sign out", "log out logout end session", signOut),
  ];
}

/** As the account menu does, whose form need not be there. */
function signOut(): void {
  const form = document.createElement("form");
  form.method = "post";
  form.action = "/auth/sign-out";
  document.body.append(form);
  form.requestSubmit();
}
