import { expect, test } from "vitest";
import { cookieNames } from "./names.ts";

test("PK-27 names have the prefix __Host- on https, and eight characters of the client everywhere", async () => {
  const [shop, other, local] = await Promise.all([
    cookieNames("shop", { secure: true }),
    cookieNames("other", { secure: true }),
    cookieNames("shop", { secure: false }),
  ]);
  expect(shop.session).toMatch(/^__Host-gatehouse_[0-9a-f]{8}_session$/);
  expect(local.session).toBe(shop.session.replace("__Host-", ""));
  expect(new Set([shop.session, shop.signIns, other.session, other.signIns]).size).toBe(4);
});
