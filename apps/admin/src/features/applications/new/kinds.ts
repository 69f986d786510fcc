import { QUICK_STARTS, type QuickStartName } from "@gatehouse/ui/quick-starts";
import {
  IconApi,
  IconBrowser,
  IconDeviceMobile,
  IconPlugConnected,
  IconServer,
  IconTerminal2,
} from "@tabler/icons-react";
import type { ClientType } from "@/trpc/types.ts";

type Kind = {
  label: string;
  hint: string;
  icon: typeof IconServer;
  type: ClientType;
  /** To choose from: each has its own development redirect URI. */
  frameworks: readonly QuickStartName[];
  /** The development redirect URI to begin with, whatever the framework. */
  redirectUri?: string;
  /** The scopes to begin with, if they are not those of the client type. */
  scopes?: readonly string[];
};

/** What a team can build, each as the client type that fits. CO-20. */
export const KINDS = {
  web: {
    label: "Web app",
    hint: "Renders pages on a server, which keeps the secret and the tokens.",
    icon: IconServer,
    type: "web",
    frameworks: ["nextjs", "express", "python", "curl-code"],
  },
  spa: {
    label: "Single-page app",
    hint: "Runs in the browser and calls APIs from there. It has no secret.",
    icon: IconBrowser,
    type: "browser",
    frameworks: ["react"],
  },
  native: {
    label: "Mobile or desktop app",
    hint: "Is installed on a device and opens the system’s browser to sign in.",
    icon: IconDeviceMobile,
    type: "native",
    frameworks: ["curl-code"],
    redirectUri: "http://127.0.0.1:4000/callback",
  },
  device: {
    label: "Command line or TV",
    hint: "Shows a code, which the user enters on a phone or computer.",
    icon: IconTerminal2,
    type: "device",
    frameworks: ["cli"],
  },
  service: {
    label: "Service",
    hint: "Calls APIs on its own behalf. No user signs in.",
    icon: IconApi,
    type: "service",
    frameworks: ["curl-service"],
  },
  mcp: {
    label: "MCP server",
    hint: "Offers tools to AI assistants, which sign their users in here.",
    icon: IconPlugConnected,
    type: "native",
    frameworks: ["mcp-server"],
    scopes: ["offline_access"],
  },
} as const satisfies Record<string, Kind>;

export type KindName = keyof typeof KINDS;
export const kindNames = Object.keys(KINDS) as KindName[];
export const kindOf = (name: KindName): Kind => KINDS[name];

/** The redirect URI to begin with; empty if the kind has none. */
export function firstRedirectUri(name: KindName, framework: QuickStartName): string {
  return kindOf(name).redirectUri ?? QUICK_STARTS[framework].redirectUri ?? "";
}
