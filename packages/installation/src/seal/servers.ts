import { hostname } from "node:os";
import { mintId } from "@gatehouse/auth";
import type { OperationDeps } from "@gatehouse/console/deps";
import { deleteFact, listFacts, writeFact } from "@gatehouse/db/facts";
import type { ReadDb } from "@gatehouse/db/query/db";
import type { Log } from "../log.ts";
import { registerKey } from "./key-registry.ts";

type Part = Pick<OperationDeps, "db" | "seal" | "now" | "random">;

/** A running server, and the secrets that it knows: the current one first. */
export type SealingServer = { host: string; pid: number; keys: string[]; seenAt: number };

const PREFIX = "seal server ";
const EVERY_MS = 60_000;
/** A server that was not seen for so long is gone. It writes every minute. */
const GONE_AFTER_SECONDS = 180;

/** The servers that use the database now. OP-15. */
export async function listServers(db: ReadDb, now: number): Promise<SealingServer[]> {
  const stored = [...(await listFacts(db, PREFIX)).values()];
  const servers = stored.map((value): SealingServer => JSON.parse(value)); // written below
  return servers.filter(({ seenAt }) => now - seenAt < GONE_AFTER_SECONDS);
}

/**
 * Writes every minute which secrets this server has, so that `gatehouse seal` knows when a change of the secret is
 * complete, and registers the current one again if it was removed too early. Warns about servers with which this one
 * does not fit. OP-15.
 */
export function startKeyReports(deps: Part, log: Log): { stop(): Promise<void> } {
  const key = PREFIX + mintId(deps.random);
  let running = Promise.resolve();
  let warned = "";

  async function report(): Promise<void> {
    const { db, seal, now } = deps;
    await registerKey(deps);
    const others = (await listServers(db, now())).filter((server) => !isSelf(server));
    const ids = seal.keys.map(({ id }) => id);
    const misfits = others.filter((server) => !fits(server, ids));
    const named = JSON.stringify(misfits.map(({ host, pid }) => [host, pid]));
    if (misfits.length > 0 && named !== warned) log.warn({ servers: misfits }, MISFIT);
    warned = named;
    const own = { host: hostname(), pid: process.pid, keys: ids, seenAt: now() };
    await writeFact(db, key, JSON.stringify(own satisfies SealingServer));
    await deleteGone(deps);
  }

  const turn = () => {
    running = running
      .then(report)
      .catch((error: unknown) => log.warn({ err: error }, "the secrets of this server could not be recorded"));
  };
  turn();
  const timer = setInterval(turn, EVERY_MS).unref();
  return {
    async stop() {
      clearInterval(timer);
      await running;
      await deleteFact(deps.db, key).catch(() => {}); // it expires
    },
  };
}

const MISFIT =
  "other servers use other secrets: what one seals, another cannot open. Give every server both, with the old one as " +
  "GATEHOUSE_SECRET, before one of them gets the new one";

/** Whether two servers can open what the other one seals. */
function fits({ keys }: SealingServer, own: readonly string[]): boolean {
  const [theirs = ""] = keys;
  const [ours = ""] = own;
  return keys.includes(ours) && own.includes(theirs);
}

const isSelf = ({ host, pid }: SealingServer) => host === hostname() && pid === process.pid;

async function deleteGone({ db, now }: Pick<Part, "db" | "now">): Promise<void> {
  for (const [id, value] of await listFacts(db, PREFIX)) {
    const { seenAt }: SealingServer = JSON.parse(value);
    if (now() - seenAt >= GONE_AFTER_SECONDS) await deleteFact(db, PREFIX + id);
  }
}
