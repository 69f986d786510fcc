import { MAIL } from "../harness/fixture.ts";
import { buildNextProduct, type NextProduct, type StartedProduct } from "../harness/next-product.ts";
import { freePort } from "../harness/processes.ts";
import * as attacks from "./next-attacks.ts";
import { actWithoutSession, followLinkAndSignOut, type Running } from "./next-stories.ts";
import { setUpProduct } from "./products.ts";
import { test } from "./stage.ts";

// A Next product with the packed sdk, on `next start`.

test.describe.configure({ mode: "default" }); // one product for the file

let product: NextProduct;
let guarded: Running;
let second: StartedProduct;
let bare: Running;

/** Registers a product, and starts the build for it. */
async function startOne(name: string, built: Promise<NextProduct>, env: Record<string, string> = {}): Promise<Running> {
  const port = await freePort();
  const setup = await setUpProduct({ name, url: `http://localhost:${port}` });
  return { setup, product: await (await built).start({ ...setup.env, ...env, PORT: String(port) }) };
}

const stage = (): attacks.NextStage => ({ running: guarded, second, bare, built: product });

test.beforeAll(async () => {
  test.setTimeout(600_000); // a build on the slowest machine
  const built = buildNextProduct();
  [guarded, bare] = await Promise.all([
    startOne("next-product", built),
    startOne("next-bare", built, { SHAPE: "protect", GATEHOUSE_RESOURCE: MAIL.id }),
  ]);
  product = await built;
  second = await product.start({ ...guarded.setup.env, PORT: String(await freePort()) });
});
test.afterAll(async () => {
  await Promise.all([guarded?.product, second, bare?.product].map((one) => one?.stop()));
  await Promise.all([guarded, bare].map((one) => one?.setup.remove()));
});

test("PK-13 PK-37 PK-43 PK-45 a user follows a link to a guarded page, signs in, acts and signs out, and prefetches stay silent", ({
  page,
}) => followLinkAndSignOut(page, guarded));

test("PK-44 an Action of a user who has no session any more leads to sign in and back to its page", ({ page }) =>
  actWithoutSession(page, guarded));

test("PK-43 PK-60 every kind of caller without a session gets what it can use", () =>
  attacks.callersWithoutSession(stage()));

test("PK-37 PK-38 pages and handlers check for themselves, without a proxy in front", () =>
  attacks.pagesWithoutProxy(stage()));

test("PK-38 PK-51 a handler takes a token or a session, and never a session in place of a token", () =>
  attacks.tokensAtHandlers(stage()));

test("PK-60 a wrapped handler answers with JSON, and one that throws with a status alone", () =>
  attacks.refusalsOfHandlers(stage()));

test("N81 PK-31 PK-68 fifty requests across expiry in two processes", () => attacks.acrossExpiry(stage()));

test("N89 no header opens a guarded route, and none changes where a sign-in returns to", () =>
  attacks.forgedHeaders(stage()));

test("N90 no other spelling of its URL opens a guarded page", () => attacks.otherSpellings(stage()));

test("N91 the id of a guarded Action, posted to a public page, runs nothing", () => attacks.foreignAction(stage()));

test("N85 N86 N87 N88 return paths, sign-out, callbacks and cookies that nobody should send", () =>
  attacks.badInput(stage()));

test("N93 a renewal on a prerendered page is kept by no cache, and nobody gets another user's page", () =>
  attacks.cachedPages(stage()));

test("N84 a user who signs out elsewhere is signed out here within ten seconds", () =>
  attacks.signedOutElsewhere(stage()));

test("N94 nothing of the server is in the scripts of the browser", () => attacks.scriptsOfBrowser(stage()));
