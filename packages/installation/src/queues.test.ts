import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { createOutbound, createSeal, type Deps, sha256 } from "@gatehouse/auth";
import { PASSWORD_SIGN_IN } from "@gatehouse/auth/testing";
import { createAuthStore } from "@gatehouse/db/stores/auth/store";
import { LOGOUT_NOTICE_QUEUE, SELF_DESCRIBED_NOTICE_QUEUE } from "@gatehouse/db/stores/jobs/jobs";
import { engines, type TestDatabase } from "@gatehouse/db/testing/engines";
import { NOW, seed } from "@gatehouse/db/testing/people";
import { createWorker } from "@gatehouse/work/jobs";
import { afterEach, describe, expect, test } from "vitest";
import { noticeQueues } from "./queues.ts";

const SILENT = 40;
const SIGN_OUTS = 4;

const servers: Server[] = [];
const sockets = new Set<Socket>();
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  for (const server of servers.splice(0)) server.close();
});

/** The URL of a server on a port of its own. */
async function listen(server: Server): Promise<string> {
  servers.push(server);
  server.on("connection", (socket) => sockets.add(socket)).listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/logout`;
}

describe.each(engines)("logout notices, on $name", ({ open }) => {
  /**
   * Ada is signed in several times, each time at the team's shop, at a reader that she brought along, and at clients
   * whose servers are silent.
   */
  async function signedIn(database: TestDatabase) {
    const { db } = database;
    await seed(db);
    const store = createAuthStore(db);
    const arrived: string[] = [];
    const serverOf = (name: string) =>
      listen(createHttpServer((_, response) => response.end(() => arrived.push(name))));

    const { clients } = db.tables;
    const add = (clientId: string, backchannelLogoutUri: string) =>
      store.addDynamicClient(
        {
          clientId,
          applicationId: clientId,
          applicationName: clientId,
          type: "native",
          redirectUris: [],
          postLogoutRedirectUris: [],
          grantTypes: ["authorization_code"],
          scopes: ["api:read"],
          options: { backchannelLogoutUri, idTokenAlgorithm: "EdDSA" },
          registrationTokenHash: sha256(clientId),
          secret: null,
        },
        NOW,
      );
    await db
      .update(clients)
      .set({ options: { backchannelLogoutUri: await serverOf("shop"), idTokenAlgorithm: "EdDSA" } });
    const silent = await Promise.all(
      Array.from({ length: SILENT }, async (_, at) => [`a-silent-${at}`, await listen(createServer())] as const),
    );
    for (const [clientId, uri] of silent) await add(clientId, uri);
    await add("reader", await serverOf("reader"));

    const sessions = Array.from({ length: SIGN_OUTS }, (_, at) => `session-${at}`);
    for (const id of sessions) {
      await store.saveSession({
        hash: sha256(id),
        id,
        userId: "ada",
        authTime: NOW,
        ...PASSWORD_SIGN_IN,
        userAgent: null,
        address: null,
        accessEpoch: 0,
        createdAt: NOW,
        lastSeenAt: NOW,
        expiresAt: NOW + 1000,
        absoluteExpiresAt: NOW + 2000,
      });
      for (const clientId of ["shop-dev", "reader", ...silent.map(([name]) => name)]) {
        const grant = { userId: "ada", clientId, scope: "openid", sessionId: id, accessEpoch: 0, createdAt: NOW };
        await store.saveGrant({ ...grant, id: `${id} ${clientId}` });
      }
    }
    return { store, sessions, arrived };
  }

  test("those of silent clients that strangers registered delay neither the team's clients nor other strangers'", async () => {
    const database = await open();
    const { store, sessions, arrived } = await signedIn(database);
    const [first = "", ...others] = sessions;
    await store.revokeSession("ada", first, NOW);
    const { jobs } = database.db.tables;
    const queues = await database.db.select({ queue: jobs.queue }).from(jobs);
    const inQueue = (name: string) => queues.filter(({ queue }) => queue === name).length;
    expect([inQueue(LOGOUT_NOTICE_QUEUE), inQueue(SELF_DESCRIBED_NOTICE_QUEUE)]).toEqual([1, SILENT + 1]);

    let failed = 0;
    const random = (length: number) => randomBytes(length);
    const deps: Parameters<typeof noticeQueues>[0] = {
      ...createOutbound({ allowLoopback: true }),
      config: { issuer: "http://localhost:3000" } as Deps["config"],
      store,
      now: () => NOW,
      random,
      seal: createSeal("a secret of at least thirty-two bytes", random),
    };
    const fail = () => {
      failed += 1;
    };
    const log = { warn: fail, error: fail };
    const worker = createWorker({ db: database.db, random, log, pollMs: 20 });
    worker.start(noticeQueues(deps));
    // A machine that stands still for three seconds fails the silent ones of one sign-out before anything arrives, but
    // not those of each.
    const failedBefore: number[] = [];
    for (const [at, next] of [...others, undefined].entries()) {
      const expected = ["reader", "shop"].flatMap((name) => Array<string>(at + 1).fill(name));
      const before = failed;
      await expect.poll(() => arrived.toSorted(), { timeout: 15_000 }).toEqual(expected);
      failedBefore.push(failed - before);
      if (next) await store.revokeSession("ada", next, NOW);
    }
    expect(Math.min(...failedBefore)).toBe(0);
    await worker.stop(0);
    await database.close();
  });
});
