import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { request } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { newAgent } from "../harness/agent.ts";
import { useEverything } from "../harness/black-box.ts";
import { gatehouse } from "../harness/commands.ts";
import { CLIENTS } from "../harness/fixture.ts";
import { postAs } from "../harness/flow.ts";
import { startConsole, startWeb } from "../harness/gatehouse.ts";
import { json, send, trust } from "../harness/http.ts";
import { type Installation, newInstallation } from "../harness/installation.ts";
import { freePort, type Running } from "../harness/processes.ts";
import { type Balancer, CONSOLE_HOST, HOST, isInstalled, type Place, PROXIES, startProxy } from "../harness/proxies.ts";

const MIB = 1024 ** 2;

describe.each(Object.entries(PROXIES))("OP-05 %s, as deploy/ configures it", (_name, proxy) => {
  if (!isInstalled(proxy)) return test.skip("is not installed", () => undefined);

  describe("in front of two servers and a console, with TLS", () => {
    let installation: Installation;
    let place: Place;
    let running: Running[] = [];
    let issuer: string;

    beforeAll(async () => {
      place = await newPlace();
      issuer = `https://${HOST}:${place.https}`;
      installation = await newInstallation("sqlite", {
        GATEHOUSE_ISSUER: issuer,
        GATEHOUSE_ADMIN_URL: `https://${CONSOLE_HOST}:${place.https}`,
        GATEHOUSE_DRAIN_SECONDS: "5",
        GATEHOUSE_EMAIL_SIGN_IN: "off", // needs mail where the issuer is https
        GATEHOUSE_OPS_PORT: "0",
        HOST: "127.0.0.1",
      });
      const [one, two] = place.servers;
      running = [await startWeb(installation.env, one), await startWeb(installation.env, two)];
      running.push(await startConsole(installation.env, place.console));
      running.push(await serving(proxy, place));
    });
    afterAll(async () => {
      await Promise.all(running.map((one) => one.crash()));
      await installation?.remove();
      await rm(place.work, { recursive: true, force: true });
    });

    test("OP-05 OP-08 everything works through it, and the console answers by its name", async () => {
      await useEverything(issuer, "token");
      const answer = await send(issuer, "/healthz", { headers: { host: `${CONSOLE_HOST}:${place.https}` } });
      expect(answer.status).toBe(200);
      const site = { host: `${CONSOLE_HOST}:${place.https}` };
      const page = await newAgent(issuer).request("/", { headers: site });
      expect([page.status, page.headers.get("location")]).toEqual([303, expect.stringContaining("/auth/sign-in")]);
    });

    test("OP-05 plain http is sent to https if it reads, and refused if it writes", async () => {
      const plain = `http://${HOST}:${place.http}`;
      const read = await send(plain, "/sign-in?a=b");
      expect([read.status, read.headers.get("location")]).toEqual([
        301,
        expect.stringMatching(/^https:.*\/sign-in\?a=b$/),
      ]);
      expect((await send(plain, "/token", { method: "POST", body: "grant_type=x" })).status).toBe(403);
    });

    test("OP-05 OP-16 the doctor finds nothing to mend", async () => {
      const env = { ...installation.env, NODE_EXTRA_CA_CERTS: proxy.authority(place) };
      const found = (await gatehouse(["doctor", "proxy", "--json"], env)) as { check: string; state: string }[];
      const states = Object.fromEntries(found.map(({ check, state }) => [check, state]));
      const { certificate, plain_pages, ...others } = states;
      expect(["ok", "warning"]).toContain(certificate); // that of Caddy's own authority lasts half a day
      expect(plain_pages).toBe("skipped"); // on a port of its own
      expect(others).toEqual(Object.fromEntries(Object.keys(others).map((check) => [check, "ok"])));
      expect(Object.keys(others)).toEqual(
        expect.arrayContaining(["caller_address", "events", "old_tls", "body_limit"]),
      );
    });

    test("OP-05 OP-72 no request fails while one server after the other restarts", async () => {
      const failures: unknown[] = [];
      let [answered, ended] = [0, false];
      const clients = Array.from({ length: 6 }, async () => {
        while (!ended) {
          const answer = await token(issuer).catch((error: unknown) => error);
          if (answer === 200) answered += 1;
          else failures.push(answer);
        }
      });
      for (const at of [0, 1] as const) {
        const before = answered;
        await expect.poll(() => answered - before).toBeGreaterThan(20);
        await stopOne(running[at]);
        running[at] = await startWeb(installation.env, place.servers[at]);
        // The proxy has asked it: now it may lose the other one.
        await new Promise((done) => setTimeout(done, 4_500));
      }
      ended = true;
      await Promise.all(clients);
      expect(failures).toEqual([]);
    });
  });

  describe("in front of servers that tell what they got", () => {
    let place: Place;
    let upstream: Upstream;
    let running: Running;
    let origin: string;

    beforeAll(async () => {
      upstream = await startUpstream();
      place = { ...(await newPlace()), servers: [upstream.port, upstream.port], console: upstream.port };
      running = await serving(proxy, place);
      origin = `https://${HOST}:${place.https}`;
    });
    afterAll(async () => {
      await running?.stop();
      upstream?.server.closeAllConnections();
      upstream?.server.close();
      await rm(place.work, { recursive: true, force: true });
    });

    test("OP-05 they get the caller's address and a new request id, whatever the caller claims", async () => {
      const claimed = { "x-forwarded-for": "203.0.113.9", "x-request-id": "claimed" };
      const seen = json(await send(origin, "/echo", { headers: claimed }));
      expect(seen["x-forwarded-for"]).toMatch(/^(127\.0\.0\.1|::1)$/);
      expect(seen["x-request-id"]).toMatch(/^[0-9a-f-]{32,36}$/);
    });

    test("OP-05 a body above 1 MiB is refused, and one below passes", async () => {
      const post = (bytes: number) => send(origin, "/echo", { method: "POST", body: "x".repeat(bytes) });
      expect((await post(MIB - 1)).status).toBe(200);
      expect([413, 502]).toContain((await post(MIB + 1)).status); // 502 of Caddy before 2.7
    });

    test("OP-05 a POST that broke off is not sent again", async () => {
      const answer = await send(origin, "/break", { method: "POST", body: "code=once" });
      expect(answer.status).toBe(502);
      expect(upstream.broken()).toBe(1);
    });

    test("OP-05 events arrive one by one", async () => {
      const first = await firstChunk(origin, await readFile(proxy.authority(place), "utf8"));
      expect(first).toBe("data: first\n\n"); // the stream never ends: a proxy that waits for more gives nothing
    });
  });
});

async function newPlace(): Promise<Place> {
  const [https, http, one, two, console] = await Promise.all(Array.from({ length: 5 }, freePort));
  const work = await mkdtemp(join(tmpdir(), "gatehouse-proxy-"));
  return { work, https: https ?? 0, http: http ?? 0, servers: [one ?? 0, two ?? 0], console: console ?? 0 };
}

/** Starts it, trusts its certificate, and waits until it has found its servers. */
async function serving(proxy: Balancer, place: Place): Promise<Running> {
  const running = await startProxy(proxy, place);
  const ready = async () => {
    trust(await readFile(proxy.authority(place), "utf8"));
    const { status } = await send(`https://${HOST}:${place.https}`, "/readyz");
    if (status !== 200) throw new Error(String(status));
  };
  await vi.waitFor(ready, { timeout: 30_000, interval: 100 }).catch((cause: unknown) => {
    throw new Error(`it is not ready:\n${running.output()}`, { cause });
  });
  return running;
}

async function token(issuer: string): Promise<number> {
  return (await postAs(issuer, "/token", CLIENTS.service, { grant_type: "client_credentials" })).status;
}

/** SIGTERM, and time for the drain, which takes longer than a test's process may take otherwise. */
async function stopOne(server: Running | undefined): Promise<void> {
  const gone = new Promise((resolve) => server?.child.once("exit", resolve));
  server?.child.kill("SIGTERM");
  expect(await gone).toBe(0);
}

type Upstream = { server: Server; port: number; broken: () => number };

async function startUpstream(): Promise<Upstream> {
  let broken = 0;
  const server = createServer((incoming, outgoing) => {
    if (incoming.url === "/break") {
      broken += 1;
      return void bodyOf(incoming).finally(() => incoming.socket.destroy());
    }
    if (incoming.url === "/events") {
      outgoing.writeHead(200, { "content-type": "text/event-stream" });
      return void outgoing.write("data: first\n\n");
    }
    return void bodyOf(incoming).then(() => outgoing.end(JSON.stringify(incoming.headers)));
  }).listen(0, "127.0.0.1");
  await new Promise((done) => server.once("listening", done));
  return { server, port: (server.address() as AddressInfo).port, broken: () => broken };
}

/** Resolves when the body is complete, or the proxy gives up. */
function bodyOf(incoming: IncomingMessage): Promise<void> {
  return new Promise((resolve) => incoming.once("close", resolve).resume());
}

function firstChunk(origin: string, ca: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request(`${origin}/events`, { ca }, (incoming) =>
      incoming.once("data", (chunk: Buffer) => {
        resolve(chunk.toString());
        sent.destroy();
      }),
    );
    sent.once("error", reject).end();
  });
}
