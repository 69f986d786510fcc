import {
  createBreachCheck,
  createPasswordHasher,
  createPasswordRules,
  createUpstream,
  namesAsWords,
} from "@gatehouse/accounts";
import { type Config, createOutbound, type Random, type Seal } from "@gatehouse/auth";
import type { OperationDeps } from "@gatehouse/console/deps";
import { createRequestPolicy } from "@gatehouse/console/request-policy";
import type { Database } from "@gatehouse/db/database";
import { createAccountStore } from "@gatehouse/db/stores/accounts/store";
import { createAuthStore } from "@gatehouse/db/stores/auth/store";
import type { Stats } from "@gatehouse/db/stores/stats/store";
import { readHostFacts } from "./host-facts.ts";
import { createLimits } from "./limits.ts";
import type { Log } from "./log.ts";
import type { Mail } from "./mail.ts";
import { measureUsage } from "./measured.ts";
import type { LiveSettings } from "./settings/live.ts";

type Outbound = ReturnType<typeof createOutbound>;

type Parts = {
  database: Database;
  settings: LiveSettings;
  log: Log;
  /** Unix seconds. */
  now: () => number;
  random: Random;
  seal: Seal;
  outbound: Outbound;
  providerRequests: NonNullable<OperationDeps["providerRequests"]>;
  mail: Mail;
  stats: Stats;
};

/** Builds what the protocol and the operations depend on. Its `config` and `accounts` follow the settings. */
export function createOperationDeps(parts: Parts): OperationDeps {
  const { database, settings, log, now, random, seal, outbound, providerRequests, mail, stats } = parts;
  const { db, reads, lists, background } = database;
  const { config, accounts, passwords } = settings.current;
  const people = createAccountStore(db);

  const { hostname } = new URL(config.issuer);
  const names = async () =>
    namesAsWords([settings.current.productName, hostname, ...(await people.listApplicationNames())]);
  const isBreached = createBreachCheck(passwords.breaches, {
    fetchBytes: outbound.fetchBytes,
    onError: (error) => log.warn({ err: error }, "the breached-password check failed"),
  });

  const deps: OperationDeps = {
    config,
    settings,
    demo: settings.current.demo,
    accounts,
    people,
    mail: mail.composer,
    outbox: mail.outbox,
    store: createAuthStore(db),
    policy: createRequestPolicy({ db, now, config }),
    db,
    reads,
    lists,
    ...(background !== db && { console: { db: background, store: createAuthStore(background) } }),
    now,
    random,
    seal,
    ...outbound,
    providerRequests,
    upstream: createUpstream({ outbound: upstreamOutbound(outbound, config), seal, config, now }),
    ...createLimits(database, now, mail),
    hasher: createPasswordHasher({ concurrency: passwords.hashConcurrency }),
    passwordRules: createPasswordRules({ leastCharacters: passwords.leastCharacters, names, isBreached }),
    usage: measureUsage(stats.usage),
    writeHealth: stats.health,
    host: () => readHostFacts({ database, settings: settings.current, db: background, seal }),
    onError: (error, errorId, requestId) =>
      log.error({ err: error, error_id: errorId, request_id: requestId }, "request failed"),
  };
  // Plain properties, not getters: the hot paths read them.
  settings.subscribe((changed) => {
    deps.config = changed.config;
    deps.accounts = changed.accounts;
  });
  return deps;
}

/** Sign-in providers can be in a private network, if an admin says so. */
function upstreamOutbound({ fetchBytes }: Outbound, config: Config) {
  const privateNetwork = createOutbound({ allowLoopback: allowsLoopback(config), allowPrivateNetwork: true });
  return { public: fetchBytes, private: privateNetwork.fetchBytes };
}

/** Requests to this machine are for an installation on it: settings allow an http issuer on loopback only. */
export const allowsLoopback = ({ issuer }: Config) => issuer.startsWith("http:");
