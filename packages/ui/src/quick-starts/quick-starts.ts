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
  /** Whether the program can receive answers at this redirect URI; by default at each. */
  receives?: (uri: URL, text: string) => boolean;
  /** Completes "needs a redirect URI", for clients that have none that the program can receive. */
  needs?: string;
};

const isHttp = ({ protocol, hostname }: URL) => /^https?:$/.test(protocol) && hostname !== "[::1]";
/** The library compares with, or sends, the URI as `URL` writes it, without a query. */
const isCanonical = (uri: URL, text: string) => isHttp(uri) && uri.href === text && uri.search === "";
/** `/<base>/callback/<provider>`: Auth.js receives answers nowhere else. */
export const AUTH_JS_PATH = /^((?:\/[a-z0-9][\w-]*)+)\/callback\/([a-z0-9][\w-]*)$/i;

/** The quick starts. Each is a folder of `files/`, which tests run against a server. CO-21, CO-22. */
export const QUICK_STARTS: Record<QuickStartName, QuickStart> = {
  nextjs: {
    label: "Next.js",
    redirectUri: "http://localhost:4000/api/auth/callback/gatehouse",
    install: "npm install next react react-dom next-auth@beta",
    run: "npx next dev -H __HOST__ -p __PORT__",
    secret: true,
    receives: (uri, text) => isCanonical(uri, text) && AUTH_JS_PATH.test(uri.pathname),
    needs: "whose path ends with /callback/ and a name, because Auth.js receives answers there",
  },
  express: {
    label: "Express",
    redirectUri: "http://localhost:4000/callback",
    install: "npm install express openid-client",
    run: "node --env-file=.env server.mjs",
    secret: true,
    receives: isCanonical,
    needs: "that starts with http or https and has no query",
  },
  python: {
    label: "Python",
    redirectUri: "http://localhost:4000/callback",
    install: null,
    run: "env $(cat .env) python3 app.py",
    secret: true,
    receives: isHttp,
    needs: "that starts with http or https",
  },
  react: {
    label: "React",
    redirectUri: "http://localhost:4000/callback",
    install: "npm install react react-dom oidc-client-ts vite @vitejs/plugin-react",
    run: "npx vite",
    secret: false,
    receives: isHttp,
    needs: "that starts with http or https",
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

/** What the quick starts need to know of a client: its registration. */
export type QuickStartClient = {
  clientId: string;
  environment: string;
  type: "web" | "browser" | "native" | "service" | "device";
  grantTypes: readonly string[];
  redirectUris: readonly string[];
  postLogoutRedirectUris: readonly string[];
  scopes: readonly string[];
  options: {
    /** The APIs it may request tokens for. */
    resources?: readonly string[] | undefined;
    authentication?: string | undefined;
    requirePushedRequests?: boolean | undefined;
    dpopBound?: boolean | undefined;
  };
};

const DEVICE_CODE = "urn:ietf:params:oauth:grant-type:device_code";
const OF_CODE: Partial<Record<QuickStartClient["type"], readonly QuickStartName[]>> = {
  web: ["nextjs", "express", "python", "curl-code"],
  browser: ["react"],
  native: ["curl-code"],
};
/** Get along without an ID token. */
const WITHOUT_OPENID: readonly QuickStartName[] = ["curl-code"];

/** The quick starts that work with a client as it is registered, the likeliest first. Empty if there is none. */
export function quickStartsFor({ type, grantTypes, scopes, options }: QuickStartClient): QuickStartName[] {
  const served = type === "native" && (options.resources ?? []).length > 0 ? (["mcp-server"] as const) : [];
  // The programs have neither keys nor pushed requests.
  if (options.authentication === "private_key_jwt" || options.dpopBound === true) return [...served];
  const code =
    grantTypes.includes("authorization_code") && options.requirePushedRequests !== true ? (OF_CODE[type] ?? []) : [];
  return [
    ...served,
    ...code.filter((name) => scopes.includes("openid") || WITHOUT_OPENID.includes(name)),
    // Its program is a public client, so it cannot authenticate as one with a secret.
    ...(grantTypes.includes(DEVICE_CODE) && (type === "device" || type === "native") ? (["cli"] as const) : []),
    ...(grantTypes.includes("client_credentials") && (type === "service" || type === "web")
      ? (["curl-service"] as const)
      : []),
  ];
}

const LOOPBACK = ["localhost", "127.0.0.1"];
export const isLoopback = ({ hostname }: URL): boolean => LOOPBACK.includes(hostname);

/**
 * The registered redirect URI that the program receives answers at, one of the developer's own machine if there is one.
 * Null: the quick start uses none. Undefined: the client has none that it can use.
 */
export function redirectUriFor(name: QuickStartName, registered: readonly string[]): string | null | undefined {
  const { redirectUri, receives = () => true } = QUICK_STARTS[name];
  if (redirectUri === null) return null;
  const usable = registered.filter((text) => URL.canParse(text) && receives(new URL(text), text));
  return usable.find((text) => isLoopback(new URL(text))) ?? usable[0];
}
