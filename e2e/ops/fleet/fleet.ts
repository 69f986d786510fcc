import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { apply, gatehouseText, startWeb } from "../../harness/gatehouse.ts";
import { freePort, type Running } from "../../harness/processes.ts";
import { SETTINGS } from "../../harness/servers.ts";
import { type MovableAddress, openAddress } from "./address.ts";
import { type Balancer, startBalancer } from "./balancer.ts";
import { opsFixture, type SigningKey } from "./fixture.ts";
import { createDatabase, databaseAt, newPrimary, newStandby, type PostgresServer, setSynchronous } from "./postgres.ts";
import { servingProcesses } from "./processes.ts";

const SERVERS = 2;
const WORKERS = 2;

/**
 * Two servers of two serving processes each, behind HAProxy with TLS, on a PostgreSQL with a synchronous standby, which
 * they reach at an address that can move.
 */
export type Fleet = {
  balancer: Balancer;
  /** Their ports, without TLS. */
  ports: readonly number[];
  /** How the servers reach their database. */
  address: MovableAddress;
  key: SigningKey;
  databaseUrl(): string;
  primary(): PostgresServer;
  standby(): PostgresServer | undefined;
  server(at: number): Running;
  /** The serving processes of a server, without the first, which starts them. */
  workers(at: number): number[];
  restart(at: number): Promise<void>;
  /** The standby is the primary from now on, and the old primary is gone. Commits wait for nobody. */
  failOver(): Promise<void>;
  /** Makes a new standby, for which commits wait. */
  addStandby(): Promise<void>;
  /** What each server has printed. */
  outputs(): string[];
  close(): Promise<void>;
};

/** `dataFolder`: where the primary has its data, such as a small disk. */
export async function startFleet(dataFolder?: string, settings: Record<string, string> = {}): Promise<Fleet> {
  const running: { close(): Promise<void> }[] = [];
  const close = async () => {
    for (const one of running.toReversed()) await one.close();
  };
  try {
    return { ...(await start(dataFolder, settings, running)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** `running`: gets whatever has to be closed, in the order of its start. */
async function start(
  dataFolder: string | undefined,
  settings: Record<string, string>,
  running: { close(): Promise<void> }[],
): Promise<Omit<Fleet, "close">> {
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-ops-"));
  running.push({ close: () => rm(folder, { recursive: true, force: true }) });
  let primary = await newPrimary(dataFolder);
  let standby: PostgresServer | undefined;
  running.push({ close: () => primary.remove() }, { close: async () => standby?.remove() });
  await primary.start();
  await createDatabase(primary);
  const address = await openAddress(primary.port);
  running.push(address);
  const ports = await Promise.all(Array.from({ length: SERVERS }, freePort));
  const balancerPort = await freePort();
  const env = {
    ...SETTINGS,
    GATEHOUSE_EMAIL_SIGN_IN: "off", // there is no mail
    GATEHOUSE_ISSUER: `https://localhost:${balancerPort}`,
    GATEHOUSE_ADMIN_URL: "https://localhost:1",
    GATEHOUSE_DATA_DIR: folder,
    DATABASE_URL: databaseAt(address.port),
    WEB_CONCURRENCY: String(WORKERS),
    GATEHOUSE_JOB_LEASE_SECONDS: "10",
    ...settings,
  };
  await gatehouseText(["migrate"], env);
  await gatehouseText(["bootstrap"], env);
  const { file, key } = await opsFixture();
  await apply(file, folder, env);

  async function addStandby(): Promise<void> {
    const added = await newStandby(primary);
    await added.start();
    standby = added;
    await setSynchronous(primary, true);
  }
  await addStandby();
  const servers: Running[] = [];
  running.push({ close: async () => void (await Promise.all(servers.map((one) => one.crash()))) });
  for (const port of ports) servers.push(await startWeb(env, port));
  const balancer = await startBalancer(folder, balancerPort, ports);
  running.push({ close: () => balancer.running.crash() });
  const server = (at: number) => servers[at] ?? missing(at);

  return {
    balancer,
    ports,
    address,
    key,
    databaseUrl: () => databaseAt(primary.port),
    primary: () => primary,
    standby: () => standby,
    server,
    workers: (at) => servingProcesses(server(at).child.pid ?? 0),
    async restart(at) {
      await server(at).crash();
      servers[at] = await startWeb(env, ports[at] ?? 0);
    },
    async failOver() {
      if (standby === undefined) throw new Error("there is no standby");
      await primary.kill();
      await standby.promote();
      await setSynchronous(standby, false);
      const old = primary;
      [primary, standby] = [standby, undefined];
      address.moveTo(primary.port);
      await old.remove();
    },
    addStandby,
    outputs: () => servers.map(({ output }) => output()),
  };
}

function missing(at: number): never {
  throw new Error(`there is no server ${at}`);
}
