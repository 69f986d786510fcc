import { existsSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import Stripe from "stripe";
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from "vitest";
import { WEBHOOK_SECRETS } from "../harness/fixture.ts";
import { signIn } from "../harness/flow.ts";
import { ROOT, startWeb } from "../harness/gatehouse.ts";
import { json, send } from "../harness/http.ts";
import { type Installation, newInstallation } from "../harness/installation.ts";
import { launch, type Running } from "../harness/processes.ts";
import { consoleToken } from "../harness/trpc.ts";

const stripe = new Stripe("sk_test_never_used");
const STREAM = "/api/deliveries/stream";
const SECRET = `whsec_${Buffer.alloc(32, 5).toString("base64")}`;

/** Posts an event signed by Stripe's own library. */
async function deliver(issuer: string, id: string): Promise<void> {
  const payload = JSON.stringify({ id, object: "event", type: "invoice.paid" });
  const signature = stripe.webhooks.generateTestHeaderString({ payload, secret: WEBHOOK_SECRETS.stripe });
  const headers = { "content-type": "application/json", "stripe-signature": signature };
  const answer = await send(issuer, "/api/webhooks/stripe", { method: "POST", headers, body: payload });
  expect(answer.status).toBe(200);
}

/** Resolves once `found` returns something; the command's own output is the clock. */
async function until<Value>(found: () => Value | undefined, command: Running): Promise<Value> {
  for (;;) {
    const value = found();
    if (value !== undefined) return value;
    if (command.child.exitCode !== null) throw new Error(`the command ended:\n${command.output()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe("gatehouse tail", () => {
  let own: Installation;
  let issuer: string;
  let folder: string;
  let web: Running;
  let receiver: Server;
  /** The events that the local receiver got, verified by the library of Standard Webhooks with the local secret. */
  let received: string[];
  let headers: IncomingHttpHeaders;
  const commands: Running[] = [];

  beforeAll(async () => {
    own = await newInstallation("sqlite");
    ({ issuer, folder } = own);
    web = await startWeb(own.env, own.port);
    received = [];
    receiver = createServer(async (incoming, outgoing) => {
      const chunks: Buffer[] = [];
      for await (const chunk of incoming) chunks.push(chunk);
      headers = incoming.headers;
      const signed = incoming.headers as Record<string, string>;
      const event = new Webhook(SECRET).verify(Buffer.concat(chunks), signed) as { id: string };
      received.push(event.id);
      outgoing.writeHead(200).end("ok");
    });
    await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  }, 120_000);
  afterEach(async () => {
    for (const command of commands.splice(0)) await command.stop();
  });
  afterAll(async () => {
    receiver?.closeAllConnections();
    receiver?.close();
    await web?.crash();
    await own?.remove();
  });

  /** Starts the command, and allows its sign-in as this user if it asks for one. */
  async function tail(user: string, config: string, args: string[] = []): Promise<Running> {
    const { port: hook } = receiver.address() as AddressInfo;
    const forward = ["--forward", `http://127.0.0.1:${hook}/hook`, "--env", "LOCAL_SECRET"];
    const command = launch(
      process.execPath,
      [join(ROOT, "packages/cli/dist/main.mjs"), "tail", "--server", issuer, ...forward, ...args],
      {
        cwd: folder,
        env: { ...own.env, XDG_CONFIG_HOME: join(folder, config), LOCAL_SECRET: SECRET },
      },
    );
    commands.push(command);
    const waiting = () => (command.output().includes("Waiting for deliveries") ? true : undefined);
    if (!existsSync(join(folder, config))) {
      const url = await until(() => /Open (\S+) and check/.exec(command.output())?.[1], command);
      const agent = await signIn(issuer, user);
      const page = await agent.open(url.slice(issuer.length));
      const confirmed = page.text.includes(">Allow<") ? page : await agent.submit(page, { button: "Continue" });
      await agent.submit(confirmed, { button: "Allow" });
    }
    await until(waiting, command);
    return command;
  }

  test("PK-56 signs in by the device flow, forwards each event as the server does, and resumes after a restart of the server without a gap", async () => {
    const command = await tail("admin", "first", ["--provider", "stripe"]);
    await deliver(issuer, "evt_before");
    await until(() => (received.includes("evt_before") ? true : undefined), command);

    await web.stop();
    web = await startWeb(own.env, own.port);
    await deliver(issuer, "evt_after");
    await until(() => (received.includes("evt_after") ? true : undefined), command);
    expect(received).toEqual(["evt_before", "evt_after"]);
    expect(headers).toMatchObject({
      "gatehouse-provider": "stripe",
      "gatehouse-event-type": "invoice.paid",
      "gatehouse-endpoint": "stripe",
      "gatehouse-environment": "production",
    });
    await until(
      () => (/accepted {2}invoice\.paid {2}evt_after {2}→ 200 in \d+ ms/.test(command.output()) ? true : undefined),
      command,
    );

    command.child.kill("SIGINT");
    await new Promise((resolve) => command.child.once("exit", resolve));
    expect(command.child.exitCode).toBe(0);

    const [file = ""] = await readdir(join(folder, "first/gatehouse"));
    expect((await stat(join(folder, "first/gatehouse", file))).mode & 0o777).toBe(0o600);
    await tail("admin", "first"); // a second run does not ask again
  }, 120_000);

  test("CO-02 a viewer sees that deliveries arrive, but not what they contain", async () => {
    const command = await tail("viewer", "second");
    await deliver(issuer, "evt_viewer");
    await until(
      () => (/evt_viewer {2}→ not forwarded: its body is hidden from you/.test(command.output()) ? true : undefined),
      command,
    );
    expect(received).not.toContain("evt_viewer");
  });
});

describe("the stream of deliveries", () => {
  const issuer = inject("issuer");
  const open = (token?: string, query = "") =>
    fetch(`${issuer}${STREAM}${query}`, token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } });

  test("needs an access token with webhooks:read, of a user with a role of the console", async () => {
    const anonymous = await send(issuer, STREAM);
    expect([anonymous.status, anonymous.headers.get("www-authenticate")]).toEqual([
      401,
      expect.stringContaining("Bearer"),
    ]);
    expect(json(anonymous)).toMatchObject({ error: "invalid_token" });
    expect((await send(issuer, STREAM, { headers: { authorization: "Bearer nonsense" } })).status).toBe(401);
    expect((await send(issuer, STREAM, { method: "POST" })).status).toBe(405);
  });

  test("one user can keep four streams open", async () => {
    const token = await consoleToken(issuer, "developer");
    const streams = await Promise.all(Array.from({ length: 4 }, () => open(token)));
    expect(streams.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(streams[0]?.headers.get("content-type")).toBe("text/event-stream");
    const fifth = await open(token);
    expect([fifth.status, fifth.headers.get("retry-after")]).toEqual([429, "10"]);
    await Promise.all(streams.map(({ body }) => body?.cancel()));
  });
});
