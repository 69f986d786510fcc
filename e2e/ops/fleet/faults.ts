import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import type { Fleet } from "./fleet.ts";
import { databaseAt } from "./postgres.ts";

export type Fault = {
  name: string;
  /** Whether connections to servers may break: their processes are killed or stopped. Otherwise only 503 is allowed. */
  breaksConnections: boolean;
  /** Resolves when whatever failed is there again. */
  cause(fleet: Fleet, seconds: number): Promise<void>;
};

const second = (count = 1) => pause(count * 1_000);

/** Everything that OP-40 lists, each of about so many seconds. A fault that repeats itself does so for as long. */
export const FAULTS: readonly Fault[] = [
  {
    name: "kill -9 of every process of the servers, one after the other",
    breaksConnections: true,
    async cause(fleet, seconds) {
      const between = Math.max(1, seconds / 6);
      for (const at of [0, 1]) {
        for (const pid of fleet.workers(at)) {
          process.kill(pid, "SIGKILL");
          await second(between); // its first process starts another one
        }
        const { child } = fleet.server(at);
        if (child.pid !== undefined) process.kill(child.pid, "SIGKILL");
        await second(between);
        await fleet.restart(at); // as a process manager does
      }
    },
  },
  {
    name: "kill -9 of PostgreSQL",
    breaksConnections: false,
    async cause({ primary }, seconds) {
      await primary().kill();
      await second(Math.min(10, seconds / 2));
      await primary().start();
    },
  },
  {
    name: "a fast restart of PostgreSQL",
    breaksConnections: false,
    async cause({ primary }) {
      await primary().stop("fast");
      await primary().start();
    },
  },
  {
    name: "the standby is promoted after the primary is killed",
    breaksConnections: false,
    cause: ({ failOver }) => failOver(),
  },
  {
    name: "the address leads to the standby, which only reads",
    breaksConnections: false,
    async cause({ address, primary, standby }, seconds) {
      address.moveTo(standby()?.port ?? 0);
      await second(seconds / 2);
      address.moveTo(primary().port);
    },
  },
  {
    name: "a proxy swallows every byte to and from the database",
    breaksConnections: false,
    async cause({ address }, seconds) {
      address.swallow(true);
      await second(Math.max(12, seconds / 2));
      address.swallow(false);
    },
  },
  {
    name: "a table is locked for 10 s",
    breaksConnections: false,
    async cause(fleet) {
      await fleet.primary().query("BEGIN; LOCK TABLE access_tokens; SELECT pg_sleep(10); COMMIT", "gatehouse");
    },
  },
  {
    name: "all connections of the database are taken",
    breaksConnections: false,
    async cause({ primary }, seconds) {
      const taken = await takeConnections(primary().port);
      await primary().query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'gatehouse' AND application_name <> 'taken'",
      );
      await second(seconds / 2);
      await Promise.all(taken.map((client) => client.end().catch(() => {})));
    },
  },
  {
    name: "SIGSTOP of a serving process for 20 s",
    breaksConnections: true,
    async cause(fleet) {
      const [pid = 0] = fleet.workers(0);
      process.kill(pid, "SIGSTOP");
      await second(20);
      process.kill(pid, "SIGCONT");
    },
  },
  {
    name: "SIGSTOP of a first process for 20 s",
    breaksConnections: true,
    async cause(fleet) {
      const { pid = 0 } = fleet.server(1).child;
      process.kill(pid, "SIGSTOP");
      await second(20);
      process.kill(pid, "SIGCONT");
    },
  },
  {
    name: "SIGSTOP of PostgreSQL for 20 s",
    breaksConnections: false,
    async cause({ primary }) {
      primary().pause();
      await second(20);
      primary().resume();
    },
  },
];

/** Of a primary whose data is on a small disk of its own, mounted at its folder. */
export const DISK_FULL: Fault = {
  name: "the disk of the database is full",
  breaksConnections: false,
  async cause({ primary }, seconds) {
    const ballast = join(primary().folder, "ballast");
    await fill(ballast);
    await second(seconds / 2);
    await rm(ballast);
    if (!primary().isRunning()) await primary().start(); // without room for its log it stops
  },
};

const BALLAST = Buffer.alloc(64 * 1024);

/** Writes until there is no room left. */
async function fill(file: string): Promise<void> {
  try {
    for (;;) await writeFile(file, BALLAST, { flag: "a" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  }
}

/** Opens connections until the database refuses the next one. */
async function takeConnections(port: number): Promise<pg.Client[]> {
  const taken: pg.Client[] = [];
  for (;;) {
    const client = new pg.Client({ connectionString: databaseAt(port), application_name: "taken" });
    client.on("error", () => {});
    const refused = await client.connect().then(
      () => undefined,
      (error: unknown) => error,
    );
    if (refused === undefined) taken.push(client);
    else if (taken.length > 0 && (refused as { code?: string }).code === "53300") return taken;
    else throw refused;
  }
}
