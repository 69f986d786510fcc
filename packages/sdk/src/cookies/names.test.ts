import { expect, test } from "vitest";
import { cookieNames } from "./names.ts";

test("PK-27 names have the prefix __Host- on https, and eight characters of client and server everywhere", async () => {
  const shop = { issuer: "https://id.example.com", clientId: "shop" };
  const [names, local, ...others] = await Promise.all([
    cookieNames(shop, { secure: true }),
    cookieNames(shop, { secure: false }),
    cookieNames({ ...shop, clientId: "other" }, { secure: true }),
    cookieNames({ ...shop, issuer: "http://localhost:3300" }, { secure: true }),
  ]);
  expect(names.session).toMatch(/^__Host-gatehouse_[0-9a-f]{8}_session$/);
  expect(local.session).toBe(names.session.replace("__Host-", ""));
  const all = [names, ...others].flatMap(({ session, signIns }) => [session, signIns]);
  expect(new Set(all).size).toBe(6);
});
