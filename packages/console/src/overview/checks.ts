import { evictedSince } from "@gatehouse/db/stores/webhooks/eviction";
import { MODES } from "@gatehouse/webhooks";
import { findAuditDamage } from "../audit/check.ts";
import { auditChainProblem } from "../audit/health.ts";
import type { OperationDeps } from "../deps.ts";
import { findMailTrouble } from "../mails/trouble.ts";
import { type Checked, type Fix, found, managerOf, ok } from "./checked.ts";
import { listEndingInUse } from "./ending-soon.ts";
import { failureSpikes } from "./failure-spikes.ts";
import {
  countAdmins,
  type EndingSecret,
  listClientsWithoutSecret,
  listEndpointActivity,
  readSchedule,
} from "./queries.ts";
import { hoursWithCounts } from "./stat-queries.ts";

type Deps = Pick<OperationDeps, "db" | "reads" | "now" | "seal" | "writeHealth">;
type Check = (deps: Deps) => Promise<Checked[]>;

const HOUR = 3_600;
const DAY = 86_400;
const LATE_SECONDS = 15 * 60;
const CLOCK_SECONDS = 5;
const SLOW_WRITE_MS = 1_000;
const SOON_SECONDS = 14 * DAY;
/** The maximum number of findings per check. */
const MOST = 5;

const SEE_LOG = "See the server’s log.";

/** The checks of the overview, by name. CO-09. */
export const CHECKS = {
  write_latency: async ({ writeHealth }) => {
    const { flushMs, failingSince } = writeHealth?.() ?? { flushMs: null, failingSince: null };
    if (failingSince !== null)
      return [found("failed", "The database takes no writes.", { advice: SEE_LOG, startedAt: failingSince })];
    if (flushMs !== null && flushMs > SLOW_WRITE_MS)
      return [
        found("warning", `Writing to the database is slow: the last write took ${(flushMs / 1000).toFixed(1)} s.`),
      ];
    return ok("The database reads and writes.");
  },
  sweeper: (deps) =>
    taskCheck("sweep", "Old rows are deleted on time.", "Old rows are not deleted: the sweeper is late", deps),
  key_maintenance: (deps) =>
    taskCheck(
      "signing_keys",
      "Signing keys are maintained.",
      "Signing keys are not rotated: key maintenance is late",
      deps,
    ),
  clock: async ({ db, now }) => {
    const { aheadSeconds } = await readSchedule(db, now());
    if (Math.abs(aheadSeconds) <= CLOCK_SECONDS) return ok("The clocks of server and database agree.");
    const direction = aheadSeconds > 0 ? "ahead of" : "behind";
    return [
      found("warning", `The database’s clock is ${Math.abs(aheadSeconds)} s ${direction} this server’s.`, {
        advice: "Synchronize both with NTP.",
      }),
    ];
  },
  mail: async (deps) => {
    const trouble = await findMailTrouble(deps);
    if (!trouble) return ok("Mail is delivered.");
    const sentence = `The SMTP server isn’t accepting mail: ${trouble.mails} ${trouble.mails === 1 ? "mail waits" : "mails wait"}.`;
    return [found("failed", sentence, { fix: { page: "mail" }, startedAt: trouble.since })];
  },
  inbox: async ({ reads }) => {
    const since = await evictedSince(reads);
    if (since === null) return ok("The webhook inbox has room.");
    const sentence = "The webhook inbox is full, so the oldest payloads are deleted early.";
    const advice = "Raise GATEHOUSE_DELIVERY_MAX_MB.";
    return [found("warning", sentence, { advice, fix: { page: "deliveries" }, startedAt: since })];
  },
  audit: async (deps) => {
    const damage = await findAuditDamage(deps);
    const fix = { page: "audit" } as const;
    if (damage) {
      const sentence = `The audit log was changed at row ${damage.number}: ${damage.problem}.`;
      return [found("failed", sentence, { fix, startedAt: damage.since })];
    }
    const problem = await auditChainProblem(deps);
    return problem === undefined
      ? ok("The audit log is intact as far as it was verified.")
      : [found("failed", problem, { fix })];
  },
  admins: async ({ reads }) => {
    if ((await countAdmins(reads)) > 1) return ok("There are several admins.");
    return [
      found("warning", "There is only one admin.", {
        advice: "Invite a second one, so that nobody is locked out.",
        fix: { page: "users" },
      }),
    ];
  },
  secrets: endingSecrets,
  failures: async (deps) => {
    const spikes = await failureSpikes(MOST, deps);
    return spikes.length > 0 ? spikes : ok("Refusals are at their usual rate.");
  },
  providers: silentEndpoints,
  webhook_modes: contradictedEndpoints,
  production_clients: clientsWithoutSecret,
} as const satisfies Record<string, Check>;
export type CheckName = keyof typeof CHECKS;

async function taskCheck(name: string, fine: string, late: string, { db, now }: Deps): Promise<Checked[]> {
  const task = (await readSchedule(db, now())).overdue.find((one) => one.name === name);
  if (!task || task.seconds <= LATE_SECONDS) return ok(fine);
  const sentence = `${late} by ${Math.round(task.seconds / 60)} min.`;
  return [found("failed", sentence, { advice: SEE_LOG, startedAt: now() - task.seconds })];
}

async function endingSecrets({ reads, now }: Deps): Promise<Checked[]> {
  const at = now();
  const ending = await listEndingInUse(SOON_SECONDS, MOST, { reads, now });
  if (ending.length === 0) return ok("No secret in use expires within 14 days.");
  return ending.map((secret) => {
    const { id, expiresAt } = secret;
    const days = Math.max(1, Math.round((expiresAt - at) / DAY));
    const sentence = `${nameOf(secret)} is in use and expires in ${days} ${days === 1 ? "day" : "days"}.`;
    const who = managerOf(secret.environment);
    return found(expiresAt - at <= 3 * DAY ? "failed" : "warning", sentence, { who, fix: fixOf(secret), object: id });
  });
}

function nameOf({ kind, hint, owner, environment }: EndingSecret): string {
  return kind === "api_token" ? `API token ${owner}` : `Secret …${hint} of ${owner} (${environment})`;
}

function fixOf({ client, environment, owner }: EndingSecret): Fix {
  if (environment === null) return { page: "api-tokens" };
  return client ? { page: "client", ...client, environment, tab: "secrets" } : { page: "endpoint", slug: owner };
}

/** Endpoints without a delivery for three times their usual gap, which is known after 24 hours with deliveries. */
async function silentEndpoints({ reads, now }: Deps): Promise<Checked[]> {
  const at = now();
  const [endpoints, hours] = await Promise.all([
    listEndpointActivity(reads),
    hoursWithCounts(reads, { from: at - 14 * DAY, metric: "webhook_result" }),
  ]);
  const active = new Map(hours.map(({ key, hours: many }) => [key, many]));
  const silent = endpoints.flatMap(({ slug, environment, lastAcceptedAt }) => {
    const many = active.get(`${slug}/accepted`) ?? 0;
    if (lastAcceptedAt === null || many < 24) return [];
    const gap = (14 * DAY) / many;
    if (at - lastAcceptedAt <= 3 * gap) return [];
    const sentence = `${slug} has been silent for ${spanOf(at - lastAcceptedAt)}; it usually delivers every ${spanOf(gap)}.`;
    const about = { who: managerOf(environment), fix: { page: "endpoint", slug } as const, object: slug };
    return [found("warning", sentence, { ...about, startedAt: lastAcceptedAt })];
  });
  return silent.length > 0 ? silent.slice(0, MOST) : ok("Webhook providers deliver as usual.");
}

/** What each mark says about an endpoint that it contradicts. */
const CONTRADICTED = {
  test: {
    what: "events that the provider marks as tests, but they arrive in production",
    advice: "At the provider, send its tests to an endpoint for staging or development.",
  },
  live: {
    what: "live events, but not in production",
    advice: "At the provider, send its live events to a production endpoint.",
  },
} as const;

/** Endpoints that got new events within a day whose marks contradict the environment. */
async function contradictedEndpoints({ reads, now }: Deps): Promise<Checked[]> {
  const [endpoints, counted] = await Promise.all([
    listEndpointActivity(reads),
    hoursWithCounts(reads, { from: now() - DAY, metric: "webhook_mode" }),
  ]);
  const marks = new Set(counted.map(({ key }) => key));
  const contradicted = endpoints.flatMap(({ slug, environment }) =>
    MODES.filter((mode) => marks.has(`${slug}/${mode}`)).map((mode) =>
      found("warning", `${slug} gets ${CONTRADICTED[mode].what}.`, {
        advice: CONTRADICTED[mode].advice,
        who: managerOf(environment),
        fix: { page: "endpoint", slug },
        object: `${slug}/${mode}`,
      }),
    ),
  );
  return contradicted.length > 0
    ? contradicted.slice(0, MOST)
    : ok("Webhooks arrive in the environment that their providers mark.");
}

async function clientsWithoutSecret({ reads, now }: Deps): Promise<Checked[]> {
  const clients = await listClientsWithoutSecret(reads, now(), MOST);
  if (clients.length === 0) return ok("Every production client can authenticate.");
  return clients.map(({ clientId, applicationId, applicationName, name }) =>
    found(
      "failed",
      `The production client ${name} of ${applicationName} has no live secret, so it cannot get tokens.`,
      {
        fix: { page: "client", applicationId, clientId, name, environment: "production", tab: "secrets" },
        object: clientId,
      },
    ),
  );
}

function spanOf(seconds: number): string {
  if (seconds < 2 * HOUR) return `${Math.max(1, Math.round(seconds / 60))} min`;
  return seconds < 2 * DAY ? `${Math.round(seconds / HOUR)} h` : `${Math.round(seconds / DAY)} d`;
}
