import { cookie, cookieName, cookiesOf, type Deps, sha256 } from "@gatehouse/auth";

// One sign-in at a provider lives in a cookie of the browser that began it, so that nothing is stored before the user
// comes back. UP-03.

/**
 * What a sign-in at a provider is for: signing in, signing in again with the signed-in account for a request that asks
 * for it, connecting the provider to that account, confirming who is there, or an admin's test, which changes nothing.
 */
export type UpstreamPurpose = "sign_in" | "renew" | "connect" | "confirm" | "test";

/** A sign-in that waits for the provider's answer. */
export type UpstreamAttempt = {
  providerId: string;
  purpose: UpstreamPurpose;
  state: string;
  nonce: string;
  /** PKCE, RFC 7636 §4.1. */
  verifier: string;
  /** Where the browser continues: a sealed pending request, or a local path. */
  request: string | undefined;
  next: string | undefined;
  /** "Keep me signed in". */
  keep: boolean;
  /** The sign-in at the provider must not be older. Null: any. */
  maxAgeSeconds: number | null;
  /** For all but `sign_in`: the public id of the session that asked. */
  sessionId: string | null;
  /** Of a test. */
  testId?: string | undefined;
  issuedAt: number;
};

type CookieDeps = Pick<Deps, "config" | "seal" | "now">;

const PURPOSE = "upstream attempt";
const LIFETIME_SECONDS = 600;
/** Browsers drop a cookie of more than 4096 bytes with its name. A long pending request is spread over several. */
const CHUNK_LENGTH = 3600;
const MAX_CHUNKS = 4;
/** Of abandoned attempts, whose cookies would otherwise fill the request headers. */
const MAX_ATTEMPTS = 3;

const nameOf = (state: string, { config }: Pick<Deps, "config">) =>
  `${prefixOf({ config })}${sha256(state).slice(0, 16)}`;
const prefixOf = ({ config }: Pick<Deps, "config">) => cookieName("upstream_", config);

/** The `Set-Cookie` values that begin an attempt. Older ones of the browser are dropped beyond three. */
export function attemptCookies(attempt: UpstreamAttempt, header: string | null, deps: CookieDeps): string[] {
  const { request, ...rest } = attempt;
  // A pending request is sealed already: it stands beside the sealed part, which names its hash.
  const sealed = deps.seal.seal(
    PURPOSE,
    JSON.stringify({ ...rest, requestHash: request === undefined ? null : sha256(request) }),
  );
  const value = request === undefined ? sealed : `${sealed}.${request}`;
  const name = nameOf(attempt.state, deps);
  const chunks = value.match(new RegExp(`.{1,${CHUNK_LENGTH}}`, "g")) ?? [];
  return [
    ...chunks.map((chunk, at) => cookie(`${name}.${at}`, chunk, deps.config, LIFETIME_SECONDS)),
    ...abandoned(header, name, deps).map((old) => cookie(old, "", deps.config, 0)),
  ];
}

/** The attempt of this `state`, if this browser began it within ten minutes; otherwise undefined. */
export function readAttempt(state: string, header: string | null, deps: CookieDeps): UpstreamAttempt | undefined {
  const name = nameOf(state, deps);
  const chunks = new Map(cookiesOf(header).filter(([key]) => key.startsWith(`${name}.`)));
  const value = Array.from({ length: MAX_CHUNKS }, (_, at) => chunks.get(`${name}.${at}`) ?? "").join("");
  const [sealed = "", request] = value.split(".");
  const opened = deps.seal.open(PURPOSE, sealed);
  if (opened === undefined) return undefined;
  const { requestHash, ...attempt }: Omit<UpstreamAttempt, "request"> & { requestHash: string | null } =
    JSON.parse(opened); // sealed by us
  if (deps.now() >= attempt.issuedAt + LIFETIME_SECONDS || attempt.state !== state) return undefined;
  if (requestHash !== (request === undefined ? null : sha256(request))) return undefined;
  return { ...attempt, request, next: attempt.next ?? undefined };
}

/** The `Set-Cookie` values that end an attempt. */
export function endAttemptCookies(state: string, header: string | null, deps: Pick<Deps, "config">): string[] {
  const name = nameOf(state, deps);
  return cookiesOf(header).flatMap(([key]) => (key.startsWith(`${name}.`) ? [cookie(key, "", deps.config, 0)] : []));
}

/** True the first time this state comes back. */
export function spendAttempt({ state, issuedAt }: UpstreamAttempt, { store }: Pick<Deps, "store">): Promise<boolean> {
  return store.spendOnce(sha256(`upstream state ${state}`), issuedAt + LIFETIME_SECONDS);
}

/** Cookie names of the oldest attempts, in the order sent (RFC 6265 §5.4), without those of `name`. */
function abandoned(header: string | null, name: string, deps: Pick<Deps, "config">): string[] {
  const names = cookiesOf(header).flatMap(([key]) => (isChunk(key, deps) && attemptOf(key) !== name ? [key] : []));
  const attempts = [...new Set(names.map(attemptOf))];
  const dropped = new Set(attempts.slice(0, Math.max(0, attempts.length - MAX_ATTEMPTS + 1)));
  return names.filter((key) => dropped.has(attemptOf(key)));
}

const isChunk = (key: string, deps: Pick<Deps, "config">) => key.startsWith(prefixOf(deps)) && key.includes(".");
const attemptOf = (key: string) => key.slice(0, key.lastIndexOf("."));
