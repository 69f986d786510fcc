import { randomBytes } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createWebhookStore } from "@gatehouse/db/stores/webhooks/store";
import { engines } from "@gatehouse/db/testing/engines";
import { receive } from "@gatehouse/webhooks";
import { UNREACHABLE_PROVIDERS } from "@gatehouse/webhooks/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { OperationDeps } from "../deps.ts";
import { ADMIN, type Installation, openInstallation } from "../testing/callers.ts";
import { addWebhookSecret } from "../webhook-secrets/webhook-secrets.ts";
import { createWebhookEndpoint, setWebhookEndpointEnabled } from "./endpoints.ts";
import { sendTestEvent } from "./send-test-event.ts";

const DEVELOPMENT = { slug: "stripe-dev", provider: "stripe", environment: "development" } as const;
const PRODUCTION = { slug: "stripe-live", provider: "stripe", environment: "production" } as const;
const DEVELOPER = { ...ADMIN, role: "developer" as const };
const STALE = { ...ADMIN, via: "console" as const, freshSince: null };
const eventType = "invoice.paid";

describe.each(engines)("test events, on $name", (engine) => {
  let it: Installation;
  let receiver: Server;
  let deps: OperationDeps;
  beforeEach(async () => {
    it = await openInstallation(engine);
    receiver = await startReceiver(it.deps);
    const issuer = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
    deps = { ...it.deps, config: { ...it.deps.config, issuer } };
    for (const endpoint of [DEVELOPMENT, PRODUCTION]) {
      await createWebhookEndpoint(endpoint, ADMIN, deps);
      const { provider, slug } = endpoint;
      await addWebhookSecret(
        { provider, endpoint: slug, kind: "signing", secret: `whsec_of_${slug}_0123456789` },
        ADMIN,
        deps,
      );
    }
  });
  afterEach(async () => {
    receiver.close();
    await it.close();
  });
  const audited = async () => {
    const { tables } = deps.db;
    const rows = await deps.db.select().from(tables.audit).orderBy(tables.audit.id);
    return rows.filter(({ action }) => action === "webhook_endpoint.send_test");
  };

  test("CO-53 a test event is a signed delivery that the endpoint accepts, with an audit row", async () => {
    const result = await sendTestEvent({ slug: DEVELOPMENT.slug, eventType }, DEVELOPER, deps);
    expect(result).toMatchObject({ status: 200, message: null });
    const { tables } = deps.db;
    const [row, ...others] = await deps.db.select().from(tables.webhookDeliveries);
    expect(others).toEqual([]);
    const delivered = {
      endpoint: "stripe-dev",
      environment: "development",
      outcome: "accepted",
      source: "http",
      eventType,
    };
    expect(row).toMatchObject({ ...delivered, id: result.deliveryId, eventId: result.eventId });
    expect(await audited()).toMatchObject([
      { object: "stripe-dev", environment: "development", detail: { eventType, eventId: result.eventId } },
    ]);
  });

  test("CO-88 production needs an admin with a fresh sign-in, and nothing is sent to anybody else", async () => {
    const draft = { slug: PRODUCTION.slug, eventType };
    await expect(sendTestEvent(draft, DEVELOPER, deps)).rejects.toMatchObject({ kind: "forbidden" });
    await expect(sendTestEvent(draft, STALE, deps)).rejects.toMatchObject({ kind: "stale_sign_in" });
    await expect(sendTestEvent(draft, { ...ADMIN, role: "viewer" }, deps)).rejects.toMatchObject({ kind: "forbidden" });
    expect(await audited()).toEqual([]);
    expect(await deps.db.select().from(deps.db.tables.webhookDeliveries)).toEqual([]);
    expect(await sendTestEvent(draft, ADMIN, deps)).toMatchObject({ status: 200 });
  });

  test("what cannot be sent is said before anything is: an unknown event, no secret, no endpoint", async () => {
    const send = (slug: string, type: string) => sendTestEvent({ slug, eventType: type }, ADMIN, deps);
    await expect(send(DEVELOPMENT.slug, "toString")).rejects.toMatchObject({ problems: [{ path: "eventType" }] });
    await expect(send("polar", "order.paid")).rejects.toMatchObject({ kind: "conflict" });
    await expect(send("nobody", eventType)).rejects.toMatchObject({ kind: "not_found" });
    expect(await audited()).toEqual([]);
  });

  test("a rejection and a server that cannot be reached are results, with the reason", async () => {
    await setWebhookEndpointEnabled({ slug: DEVELOPMENT.slug, enabled: false }, ADMIN, deps);
    const send = () => sendTestEvent({ slug: DEVELOPMENT.slug, eventType }, ADMIN, deps);
    expect(await send()).toMatchObject({ status: 404, message: expect.stringMatching(/./) });
    receiver.close();
    receiver.closeAllConnections();
    expect(await send()).toMatchObject({
      status: null,
      deliveryId: null,
      message: expect.stringContaining("127.0.0.1"),
    });
  });
});

/** The receiver of this installation, behind HTTP. */
async function startReceiver({ db, seal, now }: OperationDeps): Promise<Server> {
  const deps = {
    store: createWebhookStore(db, seal, now),
    outbound: UNREACHABLE_PROVIDERS,
    handlersFor: () => [],
    baseUrl: "http://127.0.0.1",
    now,
    nowMs: () => performance.timeOrigin + performance.now(),
    random: randomBytes,
  };
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const slug = incoming.url?.split("/").at(-1) ?? "";
    const headers = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)] as [string, string]);
    const request = new Request(`http://127.0.0.1${incoming.url}`, {
      method: "POST",
      headers,
      body: Buffer.concat(chunks),
    });
    const response = await receive(request, slug, deps, { address: "127.0.0.1" });
    outgoing.writeHead(response.status, Object.fromEntries(response.headers)).end(await response.text());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}
