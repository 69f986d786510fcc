import { type Client, type GrantType, type RefusalCause, sha256, type Usage } from "@gatehouse/auth";
import { addUsage, type CountedUsage, nothingUsed } from "./counted-usage.ts";

const HOUR = 3_600;
const DAY = 86_400;
/**
 * Client ids of refusals and sign-ins are what requests claimed. In one hour between two flushes, further ids count for
 * no client.
 */
const MAX_CLAIMED = 2_000;

/** Counts of one client in one hour. */
type OfClient = {
  environment: string;
  signIns: number;
  grants: Map<string, number>;
  /** By whole scope, which is split when the counts are taken. */
  scopes: Map<string, number>;
  uris: Map<string, number>;
  lastTokenAt: number;
};

type Metric = "refusal" | "sign_in";

/** Counts of one hour. */
type Hour = {
  at: number;
  clients: Map<string, OfClient>;
  secrets: Map<string, number>;
  /** By claimed client id ("" is none), metric and key. */
  claimed: Map<string, Record<Metric, Map<string, number>>>;
};

/** What is counted of what the protocol reports. */
export type StoredUsage = Pick<Usage, "signedIn" | "signInEnded" | "secretUsed"> & {
  tokenIssued(client: Client, grantType: GrantType, scope: string): void;
  refused(cause: RefusalCause, clientId: string | null): void;
};

/** Counts in memory what the protocol reports. `take` returns the counts and starts again. */
export type UsageCounts = StoredUsage & { take(): CountedUsage };

/** The most clients that are known to have had a token. */
const MAX_SEEN = 20_000;

/**
 * `onFirst` is called with the first count after each `take`; with `soon` when a client gets a token that got none from
 * this process before, because somebody may be waiting for it (CO-16).
 */
export function createUsageCounts(now: () => number, onFirst: (soon: boolean) => void): UsageCounts {
  let hours: Hour[] = [];
  const seen = new Set<string>();

  function hourAt(at: number): Hour {
    const start = at - (at % HOUR);
    const last = hours.at(-1);
    if (last?.at === start) return last;
    if (hours.length === 0) onFirst(false);
    const hour: Hour = { at: start, clients: new Map(), secrets: new Map(), claimed: new Map() };
    hours.push(hour);
    return hour;
  }

  function addClaimed(clientId: string | null, metric: Metric, key: string): void {
    const { claimed } = hourAt(now());
    const id = clientId !== null && (claimed.has(clientId) || claimed.size < MAX_CLAIMED) ? clientId : "";
    const counts = claimed.get(id) ?? { refusal: new Map(), sign_in: new Map() };
    claimed.set(id, counts);
    add(counts[metric], key);
  }

  return {
    tokenIssued(client, grantType, scope) {
      const at = now();
      const counts = countsOf(hourAt(at), client);
      if (counts.lastTokenAt === 0 && !seen.has(client.clientId)) {
        if (seen.size < MAX_SEEN) seen.add(client.clientId);
        onFirst(true);
      }
      counts.lastTokenAt = at;
      add(counts.grants, grantType);
      add(counts.scopes, scope);
    },
    signedIn(client, entry) {
      const counts = countsOf(hourAt(now()), client);
      counts.signIns += 1;
      if (entry !== null) add(counts.uris, entry);
    },
    secretUsed: (secretId) => add(hourAt(now()).secrets, secretId),
    signInEnded: (factor, cause, clientId) =>
      addClaimed(clientId, "sign_in", cause === null ? `succeeded/${factor}` : `failed/${factor}/${cause}`),
    // Unknown ids do not count: callers can invent any number of them.
    refused: (cause, clientId) => addClaimed(cause === "client_unknown" ? null : clientId, "refusal", cause),
    take() {
      const taken = hours;
      hours = [];
      return rowsOf(taken);
    },
  };
}

function add<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function countsOf({ clients }: Hour, { clientId, environment }: Client): OfClient {
  const known = clients.get(clientId);
  if (known) return known;
  const counts = { environment, signIns: 0, grants: new Map(), scopes: new Map(), uris: new Map(), lastTokenAt: 0 };
  clients.set(clientId, counts);
  return counts;
}

/** The counts of several hours as rows, one row for each key. */
function rowsOf(hours: readonly Hour[]): CountedUsage {
  const rows = nothingUsed();
  for (const { at, clients, secrets, claimed } of hours) {
    const day = at - (at % DAY);
    for (const [clientId, { environment, signIns, grants, scopes, uris, lastTokenAt }] of clients) {
      if (signIns > 0) rows.clients.push({ clientId, day, metric: "sign_in", count: signIns });
      for (const [grantType, count] of grants) {
        rows.clients.push({ clientId, day, metric: `token.${grantType}`, count });
        rows.stats.push({ at, environment, metric: "token", key: grantType, count });
      }
      for (const [scope, uses] of scopes)
        for (const name of scope.split(" ")) if (name !== "") rows.scopes.push({ clientId, scope: name, day, uses });
      for (const [uri, uses] of uris) rows.uris.push({ clientId, uriHash: sha256(uri), day, uses });
      if (lastTokenAt > 0) rows.lastTokens.push({ clientId, lastTokenAt });
    }
    for (const [secretId, uses] of secrets) rows.secrets.push({ secretId, day, uses });
    for (const [clientId, metrics] of claimed)
      for (const metric of ["refusal", "sign_in"] as const)
        for (const [key, count] of metrics[metric]) rows.claimed.push({ at, clientId, metric, key, count });
  }
  return addUsage(rows, nothingUsed());
}
