import { execFile } from "node:child_process";
import { createHmac } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { parse } from "node-html-parser";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { subscription } from "../browser/subscriptions.ts";
import type { Agent } from "../harness/agent.ts";
import { startBusyClients, TOKEN, terminate } from "../harness/busy-clients.ts";
import { buildExtendedClone, removeExtendedClone } from "../harness/extended-clone.ts";
import { CLIENTS, fixture, WEBHOOK_SECRETS } from "../harness/fixture.ts";
import { obtainTokens, signIn } from "../harness/flow.ts";
import { type Mount, ROOT, startWeb } from "../harness/gatehouse.ts";
import { type HeaderFields, json, send } from "../harness/http.ts";
import { MISBEHAVING_TYPES, statesOf } from "../harness/misbehaving-handlers.ts";
import { freePort, type Running } from "../harness/processes.ts";
import {
  expectHeadersOfAPage,
  HEADERS,
  headersAt,
  MEMBERS_ONLY,
  nonceOf,
  RSC,
  SPELLINGS,
  STRAY,
  words,
} from "../harness/react-pages.ts";
import { dataOf, mutate, query } from "../harness/trpc.ts";

// A clone of the working tree, extended as docs/extend.md says, and with React pages of every kind. One build serves
// both mounts.

let clone: string;
let data: string;
let port: number;
let issuer: string;
let env: Record<string, string>;

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
  port = await freePort();
  issuer = `http://localhost:${port}`;
  const own = {
    GATEHOUSE_HANDLERS_MB: "256",
    GATEHOUSE_ISSUER: issuer,
    GATEHOUSE_DATA_DIR: data,
    DATABASE_URL: `file:${join(data, "gatehouse.db")}`,
  };
  env = { ...inject("env"), ...own };
  await writeFile(join(data, "fixture.json"), JSON.stringify(extendedFixture()));
  const command = ["packages/cli/dist/main.mjs", "apply", join(data, "fixture.json")];
  await promisify(execFile)("node", command, { cwd: join(ROOT, clone), env: { ...process.env, ...env } });
}, 900_000);
afterAll(async () => {
  await rm(data, { recursive: true, force: true });
  await removeExtendedClone();
});

/** As Stripe signs it, now. */
function signed(body: string): string {
  const time = Math.floor(Date.now() / 1000);
  return `t=${time},v1=${createHmac("sha256", WEBHOOK_SECRETS.stripe).update(`${time}.${body}`).digest("hex")}`;
}

async function deliver(event: object): Promise<void> {
  const body = JSON.stringify({ created: 1, ...event });
  const headers = { "content-type": "application/json", "stripe-signature": signed(body) };
  expect((await send(issuer, "/api/webhooks/stripe", { method: "POST", body, headers })).status).toBe(200);
}

test("D3 the build of Next has no copy of the server", () => {
  const folder = join(ROOT, clone, "apps/web/.next/server");
  const scripts = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".js"));
  const containing = (text: string) =>
    scripts.filter((file) => readFileSync(join(folder, file), "utf8").includes(text));
  expect(containing("dist/next.mjs")).not.toEqual([]);
  expect(containing("drizzle-orm")).toEqual([]);
});

describe.each<Mount>(["own", "next"])("served by %s", (mount) => {
  let server: Running;
  let member: Agent;
  beforeAll(async () => {
    server = await startWeb(env, port, mount, join(clone, "apps/web"));
    member = await signIn(issuer, "bearer");
  });
  afterAll(() => server?.stop());

  const get = (path: string, headers: HeaderFields = {}) =>
    send(issuer, path, { headers: { accept: "text/html", ...headers } });

  describe.runIf(mount === "own")("D20 docs/extend.md", () => {
    const tokenFor = async (scope: string) => (await obtainTokens(member, CLIENTS.firstParty, { scope })).access;
    const getWith = async (path: string, scope: string) =>
      get(path, { authorization: `Bearer ${await tokenFor(scope)}` });

    test("its scope is in the metadata, and the command line took it", async () => {
      const metadata = json(await get("/.well-known/oauth-authorization-server"));
      expect(metadata["scopes_supported"]).toEqual(
        expect.arrayContaining(["bookmarks:read", "bookmarks:write", "notes:read"]),
      );
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
      const { user } = dataOf<{ user: { id: string } }>(
        await query(issuer, "me.get", undefined, await tokenFor("api:read")),
      );
      const url = "https://pay.stripe.com/receipts/1";
      const charge = { id: "ch_1", receipt_url: url, metadata: { user_id: user.id } };
      for (let time = 1; time <= 2; time++)
        await deliver({ id: "evt_1", type: "charge.succeeded", data: { object: charge } });
      const receipts = async () =>
        dataOf<{ url: string }[]>(await query(issuer, "bookmarks.list", undefined, reader)).filter(
          (one) => one.url === url,
        );
      await expect.poll(receipts, { timeout: 20_000 }).toEqual([{ id: "evt_1", url }]);
    });

    test("OP-23 handlers that crash, block and leak do not stop the server: every token is issued, and other events are handled", async () => {
      const clients = startBusyClients(port, TOKEN, { clients: 2, pauseMs: 10 });
      for (const [at, type] of MISBEHAVING_TYPES.entries())
        await deliver({ id: `evt_bad_${at}`, type, data: { object: { id: "x" } } });
      await deliver({
        id: "evt_good",
        type: "customer.subscription.updated",
        data: { object: subscription("sub_good", "active", "Team") },
      });
      const states = () => statesOf(env["DATABASE_URL"] ?? "", MISBEHAVING_TYPES);
      await expect.poll(states, { timeout: 120_000, interval: 250 }).toEqual(MISBEHAVING_TYPES.map(() => "dead"));
      const answered = clients.answered();
      await expect.poll(clients.answered).toBeGreaterThan(answered);
      await clients.end();
      expect(clients.failures).toEqual([]);
      const good = () => statesOf(env["DATABASE_URL"] ?? "", ["customer.subscription.updated"]);
      await expect.poll(good, { timeout: 60_000, interval: 250 }).toEqual(["handled"]);
      expect((await terminate(server)).code).toBe(0);
      server = await startWeb(env, port, mount, join(clone, "apps/web"));
    }, 180_000);

    test("its route needs an access token with the scope", async () => {
      expect((await get("/api/bookmarks")).status).toBe(401);
      expect((await getWith("/api/bookmarks", "bookmarks:write")).status).toBe(403);
      expect((await getWith("/api/bookmarks", "bookmarks:read")).status).toBe(200);
    });

    test("its page needs a session, and shows what the procedures know", async () => {
      const stranger = await get("/bookmarks");
      expect([stranger.status, stranger.headers.get("location")]).toEqual([303, "/sign-in?next=%2Fbookmarks"]);
      const page = await member.request("/bookmarks");
      expect(page.status).toBe(200);
      expect(parse(page.text).text).toMatch(/Bookmarks of bearer@.*https:\/\/example\.com\/one/s);
    });
  });

  describe("React pages", () => {
    test("D9 a public page is rendered for everyone, and knows the signed-in user", async () => {
      const [stranger, known] = [await get("/for-anybody"), await member.request("/for-anybody")];
      expect([stranger.status, known.status]).toEqual([200, 200]);
      expect(words(stranger)).toContain("Anybody can read this: nobody");
      expect(words(known)).toContain("Anybody can read this: bearer@");
      expect((await get("/for-members/open")).status).toBe(200);
    });

    test.each(["/for-members", "/for-members/7", "/for-members/7?a=b%20c"])(
      "D9 %s redirects to the sign-in page and back without a session",
      async (path) => {
        const answer = await get(path);
        expect([answer.status, answer.headers.get("location")]).toEqual([
          303,
          `/sign-in?${new URLSearchParams({ next: path })}`,
        ]);
        expect(answer.text).not.toContain(MEMBERS_ONLY);
        expectHeadersOfAPage(answer);
      },
    );

    test("D9 a page that requires a session answers 401 in JSON without one", async () => {
      const answer = await get("/for-programs");
      expect([answer.status, json(answer)["error"]]).toEqual([401, "unauthenticated"]);
    });

    test.each(["/for-members", "/for-members/7", "/for-programs"])(
      "D9 %s is rendered for a signed-in user, and is not cacheable",
      async (path) => {
        const answer = await member.request(path);
        expect(answer.status).toBe(200);
        expect(words(answer)).toContain(`${MEMBERS_ONLY}: bearer@`);
        expectHeadersOfAPage(answer);
      },
    );

    test.each(["/for-anybody", "/for-members"])(
      "SE-10 every script and style of %s has the nonce of its policy",
      async (path) => {
        const [one, other] = [await member.request(path), await member.request(path)];
        const nonce = nonceOf(one);
        expect(nonce).not.toBe(nonceOf(other));
        const scripts = parse(one.text).querySelectorAll("script, style");
        expect(scripts.length).toBeGreaterThan(0);
        for (const script of scripts) expect(script.getAttribute("nonce")).toBe(nonce);
        const sources = scripts.flatMap((script) => script.getAttribute("src") ?? []);
        expect(sources.length).toBeGreaterThan(0);
        for (const source of sources) expect((await get(source)).status).toBe(200);
      },
    );

    test("SE-10 the nonce cannot be set by the request", async () => {
      const policy = "script-src 'nonce-chosen'";
      const answer = await get("/for-anybody", {
        "content-security-policy": policy,
        "content-security-policy-report-only": policy,
      });
      expect(nonceOf(answer)).not.toBe("chosen");
      expect(answer.text).not.toContain("chosen");
    });

    test.each(RSC)("SD-02 %s by Next's router passes the same guard", async (_, headers) => {
      for (const path of ["/for-members", "/for-members?_rsc=1a2b3", "/for-members/7?_rsc=1a2b3"]) {
        const answer = await get(path, headers);
        expect([path, answer.status]).toEqual([path, 303]);
        expect(answer.headers.get("location")).toBe(
          `/sign-in?${new URLSearchParams({ next: path.replace("?_rsc=1a2b3", "") })}`,
        );
        expect((await get("/for-programs", headers)).status).toBe(401);
        const rendered = await member.request(path, { headers });
        expect(rendered.headers.get("cache-control")).toContain("no-store");
      }
    });

    test.each(SPELLINGS)("SD-02 N39 %s does not bypass the guard", async (path) => {
      for (const headers of [{}, { rsc: "1" }, { "x-nextjs-data": "1" }] as HeaderFields[]) {
        const answer = await get(path, headers);
        expect(answer.text).not.toContain(MEMBERS_ONLY);
        // By the guard: a 307 to the sign-in page would come from the page, and Next's own redirects to the same path.
        if (answer.status === 307) expect(answer.headers.get("location")).toBe(`${path}?_rsc`);
        else expect([303, 308, 400, 401, 404]).toContain(answer.status);
      }
    });

    test.each(HEADERS)("SD-02 N39 no header bypasses the guard: %j", async (headers) => {
      for (const path of ["/for-members", "/for-members/7", "/for-programs", "/for-anybody", "/nowhere"]) {
        for (const method of ["GET", "POST", "PUT", "HEAD", "OPTIONS"]) {
          const answer = await send(issuer, path, {
            method,
            headers: { accept: "text/html", ...headersAt(issuer, headers) },
          });
          expect(answer.text).not.toContain(MEMBERS_ONLY);
          if (!path.startsWith("/for-members") && path !== "/for-programs") continue;
          expect("sec-purpose" in headers ? [503] : [303, 401]).toContain(answer.status);
        }
      }
    });

    test("D9 a page enforces its requirement behind the guard too", async () => {
      const answer = await get("/careless");
      expect(answer.text).not.toContain(MEMBERS_ONLY);
      expect([answer.status, answer.headers.get("location")]).toEqual([307, "/sign-in?next=%2Ffor-members"]);
      expect(words(await member.request("/careless"))).toContain(`${MEMBERS_ONLY}: bearer@`);
    });

    test("D9 an ended session is rejected", async () => {
      const leaver = await signIn(issuer, "races");
      expect((await leaver.request("/for-members")).status).toBe(200);
      await leaver.submit(await leaver.open("/account"), { button: "Sign out" });
      expect((await leaver.request("/for-members")).status).toBe(303);
    });

    test("D2 D9 a new route.ts is served and guarded by its file and its line in the policy table alone", async () => {
      expect(json(await get("/new-endpoint"))).toEqual({ path: "/new-endpoint", params: {} });
      expect(json(await member.request("/new-endpoint/a%20b"))).toEqual({
        path: "/new-endpoint/[id]",
        params: { id: "a b" },
      });
      expect([(await get("/new-endpoint/7")).status, (await get("/new-endpoint/7/8")).status]).toEqual([401, 404]);
    });

    test("a rejected promise that a route handler leaves behind does not stop the server", async () => {
      expect((await get(STRAY)).status).toBe(200);
      expect((await get("/healthz")).status).toBe(200);
      expect(server.child.exitCode).toBeNull();
    });

    test("route handlers next to the pages still work", async () => {
      expect((await get("/sign-in")).status).toBe(200);
      expect((await get("/nowhere")).status).toBe(404);
      expect((await get("/for-members/7/items")).status).toBe(404);
    });
  });
});
