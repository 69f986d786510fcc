import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { type Packed, pack } from "../../scripts/pack/pack.mjs";
import { ROOT } from "../harness/commands.ts";
import { json } from "../harness/http.ts";
import { compileConsumer, installVersions } from "../harness/installation-of-versions.ts";
import { buildNextProductIn } from "../harness/next-product.ts";
import { expectAcrossExpiry } from "../harness/sdk-expiry.ts";
import { type StartApp, startNext, startProgram } from "../harness/sdk-process.ts";
import { type Product, startProduct } from "../harness/sdk-product.ts";
import { VERSIONS } from "../harness/versions.ts";
import { RENEWS, signedIn } from "./sdk-stories.ts";

// PK-64: the packed sdk with the lowest and the highest versions of all that it works with, on as many versions of Node.

const server = { issuer: inject("issuer"), env: inject("env") };
let work: string;
let sdk: Packed;
beforeAll(async () => {
  work = await mkdtemp(join(tmpdir(), "gatehouse-versions-"));
  sdk = await pack("sdk", { to: work });
});
afterAll(() => rm(work, { recursive: true, force: true }));

/** Signs in, is renewed for fifty requests at once, and signs out; then `more`. */
async function expectSessions(name: string, app: StartApp, more?: (product: Product) => Promise<void>): Promise<void> {
  const person = `${name}-ada`;
  const product = await startProduct(server, { name, people: [person], app });
  try {
    const browser = await signedIn(product, person);
    await expectAcrossExpiry(product, browser, { rounds: 1, stepSeconds: RENEWS });
    await product.setClock(0);
    await more?.(product);
    expect((await browser.post("/auth/sign-out")).status).toBe(303);
    const refused = await browser.fetch("/orders");
    expect([refused.status, json(refused)["error"]]).toEqual([401, "unauthenticated"]);
  } finally {
    await product.stop();
  }
}

describe.each(Object.entries(VERSIONS))("the %s versions", (name, versions) => {
  const folder = () => join(work, name);
  let installed: Awaited<ReturnType<typeof installVersions>>;
  beforeAll(async () => {
    installed = await installVersions(folder(), versions, sdk.tarball);
  }, 300_000);

  test("PK-64 are what they say", async () => {
    const node = (await installed.run("--version")).trim().slice(1);
    expect(`${node}.`).toMatch(new RegExp(`^${versions.node}\\.`));
    for (const library of ["next", "react", "express", "hono"] as const) {
      const { version } = JSON.parse(await readFile(join(folder(), "node_modules", library, "package.json"), "utf8"));
      expect(`${version}.`).toMatch(new RegExp(`^${versions[library]}\\.`));
    }
  });

  test("PK-64 compile a program that uses every entry", async () => {
    expect(await compileConsumer(folder(), installed.node)).toBe("");
  });

  const programOn =
    (file: string): StartApp =>
    (options) =>
      startProgram(options, [installed.node, file], folder());

  test("PK-64 PK-53 Express", () => expectSessions(`express-${name}`, programOn("sdk-express.mjs")));

  test("PK-64 PK-53 PK-52 Hono and tRPC", () =>
    expectSessions(`hono-${name}`, programOn("sdk-hono.mjs"), async (product) => {
      const browser = await signedIn(product, `hono-${name}-ada`);
      expect(json(await browser.fetch("/through-client"))).toEqual({ user: expect.stringMatching(/./) });
      browser.cookies.clear();
      expect((await browser.fetch("/trpc/me")).status).toBe(401);
      expect(json(await browser.fetch("/through-client"))).toEqual({ error: expect.stringMatching(/./) });
    }));

  test("PK-64 Next, built and started", { timeout: 600_000 }, async () => {
    const major = Number(versions.next.split(".")[0]);
    const product = await buildNextProductIn(folder(), { major, node: installed.node });
    await expectSessions(`next-${name}`, (options) => startNext(options, product));
  });
});

test("PK-64 the peer ranges begin at the lowest versions, and end with the major of the highest", async () => {
  const { peerDependencies: peers } = JSON.parse(await readFile(join(ROOT, "packages/sdk/package.json"), "utf8"));
  const { lowest, between, highest } = VERSIONS;
  const range = (from: string, to: string) => `>=${from.replace(/(\.0)+$/, "")} <${Number(to.split(".")[0]) + 1}`;
  expect(peers).toEqual({
    "@trpc/client": range(lowest.trpc, highest.trpc),
    "@trpc/server": range(lowest.trpc, highest.trpc),
    express: range(lowest.express, highest.express),
    hono: range(lowest.hono, highest.hono),
    next: `${range(lowest.next, lowest.next)} || ${range(between.next, highest.next)}`,
    react: range(lowest.react, highest.react),
  });
  const { engines } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  expect(engines.node).toBe(`>=${lowest.node}`);
});
