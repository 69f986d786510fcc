import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { type Databases, type Engine, openDatabases } from "./databases.ts";

/** Where the workers of a run reach the process that started it. */
const RUN = "GATEHOUSE_TEST_RUN";

export type Run<Shared> = { shared(engine: Engine): Promise<Shared>; close(): Promise<void> };

type Asked = { engine: Engine; folder: string; fixtures: readonly object[] };

/**
 * Starts what the test files of a run share; called by the process that starts the workers, before it does. They reach
 * it through the environment. Its answers to `shared` are those of `share`, which is called once for each engine that a
 * file asks for.
 */
export async function startRun<Shared>(share: (engine: Engine) => Promise<Shared>): Promise<Run<Shared>> {
  const databases = await openDatabases();
  const started = new Map<Engine, Promise<Shared>>();

  function shared(engine: Engine): Promise<Shared> {
    const one = started.get(engine) ?? share(engine);
    started.set(engine, one);
    return one;
  }

  async function answer(request: IncomingMessage): Promise<unknown> {
    const { engine, folder, fixtures } = (await json(request)) as Asked;
    return request.url === "/database" ? databases.create(engine, folder, fixtures) : shared(engine);
  }

  const server = createServer((request, response) => {
    answer(request).then(
      (value) => response.end(JSON.stringify(value)),
      (cause: unknown) => response.writeHead(500).end(cause instanceof Error ? cause.stack : String(cause)),
    );
  }).listen(0, "127.0.0.1");
  await new Promise<void>((done) => server.once("listening", done));
  process.env[RUN] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    shared,
    async close() {
      server.closeAllConnections();
      server.close();
      await databases.close();
    },
  };
}

/** Whether this process belongs to a run. */
export const isInRun = () => process.env[RUN] !== undefined;

/** As `Databases.create`, of the run to which this process belongs. */
export const createDatabase: Databases["create"] = (engine, folder, fixtures) =>
  ask("database", { engine, folder, fixtures });

/** What the run shares for this engine. */
export const findShared = <Shared>(engine: Engine) => ask<Shared>("shared", { engine, folder: "", fixtures: [] });

async function ask<Answer>(what: string, asked: Asked): Promise<Answer> {
  const answer = await fetch(`${process.env[RUN]}/${what}`, { method: "POST", body: JSON.stringify(asked) });
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as Answer;
}
