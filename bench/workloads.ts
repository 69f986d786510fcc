import type { Inputs } from "./sources.ts";
import * as sources from "./sources.ts";
import type { PathName } from "./subject.ts";
import type { Traffic } from "./traffic.ts";

type Body = Record<string, unknown>;

export type Workload = {
  slug: string;
  title: string;
  /** A subject without this path is not measured. */
  path: PathName;
  connections: number;
  status: number;
  /** Whether the response is correct; checked once, before the load. */
  holds: (body: Body | undefined) => boolean;
  traffic: (inputs: Inputs) => Promise<Traffic>;
  targets?: Targets;
  /** Measured on Gatehouse alone. */
  ownOnly?: true;
  /** Waits this long after the check, and measures without a warm-up. */
  idleSeconds?: number;
  /** Another process commits to the database this many times a second. */
  otherCommitsPerSecond?: number;
  /**
   * Its requests a second are compared with those of this workload on the same subject, or with what these workloads
   * and their shares predict.
   */
  relativeTo?: string | Record<string, number>;
};

/**
 * Targets in requests a second, as a multiple of node-oidc-provider, the floor, Next's static page, SQLite and
 * `relativeTo`; p99 of the floor's.
 */
export type Targets = {
  peer?: number;
  floor?: number;
  next?: number;
  postgres?: number;
  relative?: number;
  p99?: number;
};

const CONNECTIONS = 32;
const P99 = 1.5;
const P99_AFTER_IDLING = 2;
const IDLE_SECONDS = 10;

/**
 * Which source of the mix is next: 30 % bearer, 30 % introspection, 25 % client credentials, 10 % refresh, 5 %
 * webhooks.
 */
const [B, I, C, R, W] = [0, 1, 2, 3, 4] as const;
const MIX = [B, I, C, B, I, B, C, I, R, B, I, C, W, B, I, C, R, B, I, C] as const;

const isToken = (body: Body | undefined) => typeof body?.["access_token"] === "string";
const isTokenPair = (body: Body | undefined) => isToken(body) && typeof body?.["refresh_token"] === "string";
const isActive = (body: Body | undefined) => body?.["active"] === true;
const isJson = (body: Body | undefined) => body !== undefined;
const anything = () => true;

const token = { path: "token", status: 200 } as const;
const clientCredentials = { ...token, holds: isToken, traffic: sources.clientCredentials } as const;
const refresh = { ...token, holds: isTokenPair, traffic: sources.refresh } as const;
const introspection = (count: number | "many") =>
  ({ path: "introspection", status: 200, holds: isActive, traffic: sources.introspection(count) }) as const;
const bearer = (count: number | "many") =>
  ({ path: "resource", status: 200, holds: isJson, traffic: sources.bearer(count) }) as const;
const get = (path: PathName, status: number, holds: Workload["holds"]) =>
  ({ path, status, holds, traffic: sources.getOf(path) }) as const;

type Loaded = Omit<Workload, "connections"> & { connections?: number };

const loaded: Loaded[] = [
  {
    slug: "client-credentials",
    title: "client credentials",
    targets: { peer: 3.2, floor: 1.4, postgres: 0.9, p99: P99 },
    ...clientCredentials,
  },
  {
    slug: "refresh",
    title: "refresh rotation",
    targets: { peer: 4.5, floor: 1.5, postgres: 0.7, p99: P99 },
    ...refresh,
  },
  {
    slug: "code",
    title: "code exchange, PKCE",
    targets: { peer: 4.5, floor: 1.5, postgres: 0.6, p99: P99 },
    ...token,
    holds: isTokenPair,
    traffic: sources.codeExchange,
  },
  {
    slug: "introspection",
    title: "introspection",
    targets: { peer: 4.5, floor: 1.3, postgres: 0.8, p99: P99 },
    ...introspection(1),
  },
  {
    slug: "bearer",
    title: "bearer resource",
    targets: { peer: 1.9, floor: 1.3, postgres: 0.8, p99: P99 },
    ...bearer(1),
  },
  { slug: "guard", title: "guard, 401", targets: { peer: 1.5, floor: 1.1, p99: P99 }, ...get("guard", 401, anything) },
  {
    slug: "webhook",
    title: "webhook, Stripe signature, stored",
    targets: { floor: 1, postgres: 1, p99: P99 },
    path: "webhook",
    status: 200,
    holds: anything,
    traffic: sources.webhook,
  },
  {
    slug: "metadata",
    title: "metadata",
    targets: { peer: 4, floor: 1.15, p99: P99 },
    ...get("metadata", 200, (body) => typeof body?.["token_endpoint"] === "string"),
  },
  {
    slug: "introspection-many",
    title: "introspection, 100,000 tokens in turn",
    targets: { relative: 0.8 },
    relativeTo: "introspection",
    ownOnly: true,
    ...introspection("many"),
  },
  {
    slug: "bearer-many",
    title: "bearer resource, 100,000 tokens in turn",
    targets: { relative: 0.8 },
    relativeTo: "bearer",
    ownOnly: true,
    ...bearer("many"),
  },
  { slug: "introspection-1000", title: "introspection, 1,000 tokens in turn", ownOnly: true, ...introspection(1000) },
  {
    slug: "introspection-1000-commits",
    title: "introspection, 1,000 tokens in turn, while another process commits 20 times a second",
    targets: { relative: 0.95 },
    relativeTo: "introspection-1000",
    otherCommitsPerSecond: 20,
    ownOnly: true,
    ...introspection(1000),
  },
  {
    slug: "mixed",
    title: "mixed: 60 % bearer and introspection (100,000 tokens), 25 % client credentials, 10 % refresh, 5 % webhooks",
    targets: { relative: 0.85 },
    relativeTo: {
      "bearer-many": 0.3,
      "introspection-many": 0.3,
      "client-credentials": 0.25,
      refresh: 0.1,
      webhook: 0.05,
    },
    ownOnly: true,
    path: "webhook",
    status: 200,
    holds: isJson,
    traffic: async (inputs) => {
      const parts = [
        sources.bearer("many"),
        sources.introspection("many"),
        sources.clientCredentials,
        sources.refresh,
        sources.webhook,
      ];
      return { kind: "mix", sources: await Promise.all(parts.map((part) => part(inputs))), order: MIX };
    },
  },
  {
    slug: "client-credentials-alone",
    title: "client credentials, one connection",
    targets: { peer: 1.2, floor: 0.6 },
    connections: 1,
    ...clientCredentials,
  },
  {
    slug: "client-credentials-idle",
    title: "client credentials, the first seconds after idling",
    targets: { p99: P99_AFTER_IDLING },
    idleSeconds: IDLE_SECONDS,
    ...clientCredentials,
  },
  {
    slug: "introspection-idle",
    title: "introspection, the first seconds after idling",
    targets: { p99: P99_AFTER_IDLING },
    idleSeconds: IDLE_SECONDS,
    ...introspection(1),
  },
  {
    slug: "sign-in-page",
    title: "sign-in page (Next: a static page)",
    targets: { next: 0.67 },
    ...get("signInPage", 200, anything),
  },
  {
    slug: "consent-page",
    title: "consent page (Next: a static page)",
    targets: { next: 0.67 },
    path: "consentPage",
    status: 200,
    holds: anything,
    traffic: sources.consentPage,
  },
  { slug: "noop", title: "no-op route handler", ...get("noop", 200, (body) => body?.["ok"] === true) },
  {
    slug: "noop-proxy",
    title: "no-op route handler behind proxy.ts",
    ...get("noopBehindProxy", 200, (body) => body?.["ok"] === true),
  },
];

/** The workloads, in the order of the report. */
export const WORKLOADS: readonly Workload[] = loaded.map((workload) => ({ connections: CONNECTIONS, ...workload }));
