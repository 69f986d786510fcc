import { execFile } from "node:child_process";
import { createHmac } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { parse } from "node-html-parser";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import type { Agent } from "../harness/agent.ts";
import { buildExtendedClone, removeExtendedClone } from "../harness/extended-clone.ts";
import { CLIENTS, fixture, WEBHOOK_SECRETS } from "../harness/fixture.ts";
import { obtainTokens, signIn } from "../harness/flow.ts";
import { ROOT, startWeb } from "../harness/gatehouse.ts";
import { json, send } from "../harness/http.ts";
import { freePort, type Running } from "../harness/processes.ts";
import { dataOf, mutate, query } from "../harness/trpc.ts";

// docs/extend.md, followed step by step in a clone of the working tree.

let clone: string;
let data: string;
let issuer: string;
let server: Running;
let member: Agent;

/** The fixture, with a client that may have the new scopes. */
function extendedFixture(): object {
  const client = { ...CLIENTS.firstParty, scopes: [...CLIENTS.firstParty.scopes, "bookmarks:read", "bookmarks:write"] };
  const { environment, ...settings } = client;
  const { applications, ...rest } = fixture() as { applications: { name: string }[] };
  const name = `Application ${client.client_id}`;
  const others = applications.filter((application) => application.name !== name);
  return { ...rest, applications: [...others, { name, environments: { [environment]: settings } }] };
}

beforeAll(async () => {
  clone = await buildExtendedClone();
  data = await mkdtemp(join(tmpdir(), "gatehouse-extended-"));
  const port = await freePort();
  issuer = `http://localhost:${port}`;
  const own = { GATEHOUSE_ISSUER: issuer, GATEHOUSE_DATA_DIR: data, DATABASE_URL: `file:${join(data, "gatehouse.db")}` };
  const env = { ...inject("env"), ...own };
  await writeFile(join(data, "fixture.json"), JSON.stringify(extendedFixture()));
  const command = ["--import", "tsx", "packages/cli/src/main.ts", "apply", join(data, "fixture.json")];
  await promisify(execFile)("node", command, { cwd: join(ROOT, clone), env: { ...process.env, ...env } });
  server = await startWeb(env, port, "own", join(clone, "apps/web"));
  member = await signIn(issuer, "bearer");
}, 600_000);
afterAll(async () => {
  await server?.stop();
  await rm(data, { recursive: true, force: true });
  await removeExtendedClone();
});

const tokenFor = async (scope: string) => (await obtainTokens(member, CLIENTS.firstParty, { scope })).access;
const get = (path: string, token?: string) =>
  send(issuer, path, token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } });

/** As Stripe signs it, now. */
function signed(body: string): string {
  const time = Math.floor(Date.now() / 1000);
  return `t=${time},v1=${createHmac("sha256", WEBHOOK_SECRETS.stripe).update(`${time}.${body}`).digest("hex")}`;
}

describe("D20 docs/extend.md", () => {
  test("its scope is in the metadata, and the command line took it", async () => {
    const metadata = json(await get("/.well-known/oauth-authorization-server"));
    expect(metadata["scopes_supported"]).toEqual(expect.arrayContaining(["bookmarks:read", "bookmarks:write", "notes:read"]));
  });

  test("its procedures read and write the new table, each with its scope", async () => {
    const [reader, writer] = [await tokenFor("bookmarks:read"), await tokenFor("bookmarks:write")];
    const url = "https://example.com/one";
    expect((await mutate(issuer, "bookmarks.create", { url })).status).toBe(401);
    expect((await mutate(issuer, "bookmarks.create", { url }, reader)).status).toBe(403);
    expect((await mutate(issuer, "bookmarks.create", { url: "no URL" }, writer)).status).toBe(400);
    const { id } = dataOf<{ id: string }>(await mutate(issuer, "bookmarks.create", { url }, writer));
    expect(dataOf(await query(issuer, "bookmarks.list", undefined, reader))).toEqual([{ id, url }]);
  });

  test("its webhook handler bookmarks the receipt of a payment, once", async () => {
    const reader = await tokenFor("bookmarks:read");
    const { user } = dataOf<{ user: { id: string } }>(await query(issuer, "me.get", undefined, await tokenFor("api:read")));
    const url = "https://pay.stripe.com/receipts/1";
    const charge = { id: "ch_1", receipt_url: url, metadata: { user_id: user.id } };
    const body = JSON.stringify({ id: "evt_1", type: "charge.succeeded", created: 1, data: { object: charge } });
    for (let time = 1; time <= 2; time++) {
      const headers = { "content-type": "application/json", "stripe-signature": signed(body) };
      expect((await send(issuer, "/api/webhooks/stripe", { method: "POST", body, headers })).status).toBe(200);
    }
    const receipts = async () =>
      dataOf<{ url: string }[]>(await query(issuer, "bookmarks.list", undefined, reader)).filter((one) => one.url === url);
    await expect.poll(receipts, { timeout: 20_000 }).toEqual([{ id: "evt_1", url }]);
  });

  test("its route needs an access token with the scope", async () => {
    expect((await get("/api/bookmarks")).status).toBe(401);
    expect((await get("/api/bookmarks", await tokenFor("bookmarks:write"))).status).toBe(403);
    expect((await get("/api/bookmarks", await tokenFor("bookmarks:read"))).status).toBe(200);
  });

  test("its page needs a session, and shows what the procedures know", async () => {
    const stranger = await send(issuer, "/bookmarks", { headers: { accept: "text/html" } });
    expect([stranger.status, stranger.headers.get("location")]).toEqual([303, "/sign-in?next=%2Fbookmarks"]);
    const page = await member.request("/bookmarks");
    expect(page.status).toBe(200);
    expect(parse(page.text).text).toMatch(/Bookmarks of bearer@.*https:\/\/example\.com\/one/s);
  });
});
