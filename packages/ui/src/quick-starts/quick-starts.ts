import type files from "./files.json";

export type QuickStartName = keyof typeof files;

/** What a quick start is for, and how its program is started. */
export type QuickStart = {
  label: string;
  /** The redirect URI that the framework expects on a developer's machine; null if it has none. */
  redirectUri: string | null;
  /** Puts the libraries there; null if none are needed. */
  install: string | null;
  run: string;
  /** The program has a client secret. */
  secret: boolean;
};

/** The quick starts. Each is a folder of `files/`, which tests run against a server. CO-21, CO-22. */
export const QUICK_STARTS: Record<QuickStartName, QuickStart> = {
  nextjs: {
    label: "Next.js",
    redirectUri: "http://localhost:4000/api/auth/callback/gatehouse",
    install: "npm install next react react-dom next-auth@beta",
    run: "npx next dev -H localhost -p __PORT__",
    secret: true,
  },
  express: {
    label: "Express",
    redirectUri: "http://localhost:4000/callback",
    install: "npm install express openid-client",
    run: "node --env-file=.env server.mjs",
    secret: true,
  },
  python: {
    label: "Python",
    redirectUri: "http://localhost:4000/callback",
    install: null,
    run: "env $(cat .env) python3 app.py",
    secret: true,
  },
  react: {
    label: "React",
    redirectUri: "http://localhost:4000/callback",
    install: "npm install react react-dom oidc-client-ts vite @vitejs/plugin-react",
    run: "npx vite",
    secret: false,
  },
  cli: {
    label: "Node.js",
    redirectUri: null,
    install: "npm install openid-client",
    run: "node sign-in.mjs",
    secret: false,
  },
  "mcp-server": {
    label: "Node.js",
    redirectUri: "http://localhost:6274/oauth/callback",
    install: "npm install @modelcontextprotocol/sdk jose zod",
    run: "node server.mjs",
    secret: false,
  },
  "curl-code": {
    label: "curl",
    redirectUri: "http://localhost:4000/callback",
    install: null,
    run: "__READ_ENV__sh sign-in.sh",
    secret: true,
  },
  "curl-service": {
    label: "curl",
    redirectUri: null,
    install: null,
    run: "env $(cat .env) sh token.sh",
    secret: true,
  },
};

/** What the quick starts need to know of a client. */
export type QuickStartClient = {
  type: "web" | "browser" | "native" | "service" | "device";
  grantTypes: readonly string[];
  /** The APIs it may request tokens for. */
  resources: readonly string[];
};

const DEVICE_CODE = "urn:ietf:params:oauth:grant-type:device_code";
const OF_CODE: Partial<Record<QuickStartClient["type"], readonly QuickStartName[]>> = {
  web: ["nextjs", "express", "python", "curl-code"],
  browser: ["react"],
  native: ["curl-code"],
};

/** The quick starts that work with a client as it is registered, the likeliest first. Empty if there is none. */
export function quickStartsFor({ type, grantTypes, resources }: QuickStartClient): QuickStartName[] {
  const code = grantTypes.includes("authorization_code") ? (OF_CODE[type] ?? []) : [];
  return [
    ...(type === "native" && resources.length > 0 ? (["mcp-server"] as const) : []),
    ...code,
    // Its program is a public client, so it cannot authenticate as one with a secret.
    ...(grantTypes.includes(DEVICE_CODE) && (type === "device" || type === "native") ? (["cli"] as const) : []),
    ...(grantTypes.includes("client_credentials") && (type === "service" || type === "web")
      ? (["curl-service"] as const)
      : []),
  ];
}
