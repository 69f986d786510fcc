import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import { expectAcrossExpiry } from "../harness/sdk-expiry.ts";
import { onExpress, onNext } from "../harness/sdk-process.ts";
import { type Product, startProduct } from "../harness/sdk-product.ts";
import * as stories from "./sdk-stories.ts";

// PK-68: products on Express, and built ones on `next start`, each in two processes behind one address. sdk.test.ts has
// the same stories on plain Node.

const server = { issuer: inject("issuer"), env: inject("env") };
const ENDINGS = Object.keys(stories.ENDINGS) as stories.Ending[];

describe.each([
  ["express", onExpress],
  ["next", onNext],
])("on %s", (framework, app) => {
  const ada = `${framework}-ada`;
  const nameOf = (ending: stories.Ending) => `${framework}-${ENDINGS.indexOf(ending)}`;
  let shop: Product;
  /** Its refresh tokens rotate, and it checks its sessions so rarely that only notices end them. */
  let rotating: Product;

  beforeAll(async () => {
    const people = [ada, ...ENDINGS.map(nameOf)];
    const common = { app, processes: 2 };
    shop = await startProduct(server, { ...common, name: `${framework}-shop`, people });
    const options = { name: `${framework}-rotating`, people: [`${framework}-elsewhere`], rotation: true, check: 60 };
    rotating = await startProduct(server, { ...common, ...options });
  });
  afterAll(async () => {
    await Promise.all([shop?.stop(), rotating?.stop()]);
  });
  beforeEach(async () => {
    for (const product of [shop, rotating]) await product.setClock(0);
  });

  test.each([false, true])("N81 PK-31 PK-68 a hundred rounds, rotation: %s", { timeout: 900_000 }, async (rotation) => {
    const name = `${framework}-rounds${rotation ? "-rotating" : ""}`;
    const options = { name, people: [], app, processes: 2, rotation, accessTokenSeconds: 60 };
    const product = await startProduct(server, options);
    try {
      // Twice fifty: the clock of the product may be less than an hour ahead, which ID tokens live.
      for (let half = 0; half < 2; half++) {
        await product.setClock(0);
        const browser = await product.browser(ada);
        expect((await browser.signIn()).status).toBe(303);
        await expectAcrossExpiry(product, browser, { rounds: 50, stepSeconds: 55 });
      }
    } finally {
      await product.stop();
    }
  });

  test("N82 PK-68 a lost response: the old cookie of two renewals ago signs out once, and in again without a loop", () =>
    stories.losesResponses(rotating, ada));

  test("N83 PK-68 signing out while a renewal hangs: the late answer revives nothing, in either process", () =>
    stories.signsOutDuringRenewal(shop, ada));

  test.each(ENDINGS)("N84 PK-33 refused within ten seconds, and at once where it has to be live: %s", (ending) =>
    stories.endsElsewhere(shop, server.issuer, nameOf(ending), ending),
  );

  test("N84 PK-34 signing out elsewhere ends this product's session at once, by a notice", () =>
    stories.isNotified(rotating, `${framework}-elsewhere`));
});
