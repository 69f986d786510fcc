import { expect, inject, test } from "vitest";
import { expectAcrossExpiry } from "../harness/sdk-expiry.ts";
import { startProduct } from "../harness/sdk-product.ts";

test.each([false, true])("N81 PK-31 a hundred rounds, rotation: %s", { timeout: 600_000 }, async (rotation) => {
  const server = { issuer: inject("issuer"), env: inject("env") };
  const name = rotation ? "rounds-rotating" : "rounds";
  const product = await startProduct(server, {
    name,
    people: ["sdk-rounds"],
    processes: 2,
    rotation,
    accessTokenSeconds: 60,
  });
  try {
    // Twice fifty: the clock of the product may be less than an hour ahead, which ID tokens live.
    for (let half = 0; half < 2; half++) {
      await product.setClock(0);
      const ada = await product.browser("sdk-rounds");
      expect((await ada.signIn()).status).toBe(303);
      await expectAcrossExpiry(product, ada, { rounds: 50, stepSeconds: 55 });
    }
  } finally {
    await product.stop();
  }
});
