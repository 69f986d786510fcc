import { signJwt } from "@gatehouse/auth";
import { engines } from "@gatehouse/db/testing/engines";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ADMIN, type Installation, NOON, openInstallation } from "../testing/installation.ts";
import { listKeys, type Rotation, rotateKeys } from "./keys.ts";

const DAY = 86_400;

describe.each(engines)("rotating signing keys, on $name", (engine) => {
  let it: Installation;
  beforeAll(async () => {
    it = await openInstallation(engine);
  });
  afterAll(() => it.close());

  const rotate = (mode: Rotation["mode"]) => rotateKeys({ algorithm: "ES256", mode }, ADMIN, it.deps);
  const keys = async () => (await listKeys(it.deps)).keys;
  const auditRows = async () => {
    const rows = await it.deps.db.select().from(it.deps.db.tables.audit);
    return rows.filter(({ action }) => action.startsWith("signing_key."));
  };

  test("CO-60 a rotation publishes the next key, which signs a day later, and says when each key stops and leaves", async () => {
    await rotate("ahead");
    const [next, current] = await keys();
    expect(next).toMatchObject({ state: "next", algorithm: "ES256", publishedAt: NOON, planned: true });
    expect(next?.signsFrom).toBeGreaterThanOrEqual(NOON + DAY);
    expect(current).toMatchObject({
      state: "current",
      signsUntil: next?.signsFrom,
      goneAt: (next?.signsFrom ?? 0) + 30 * DAY,
    });
    await rotate("ahead");
    expect(await keys()).toHaveLength(2);
    expect(await auditRows()).toMatchObject([
      { action: "signing_key.rotate", object: next?.kid, detail: { algorithm: "ES256" } },
    ]);
  });

  test("CO-60 rotating now keeps the old key published; distrusting withdraws every earlier one, and both leave an audit row", async () => {
    it.clock.now += 60;
    await rotate("now");
    expect((await keys()).map(({ state }) => state)).toEqual(["next", "current", "previous"]);
    it.clock.now += 60;
    await rotate("distrust");
    const left = await keys();
    expect(left).toMatchObject([{ state: "current", signsFrom: it.clock.now }]);
    const token = await signJwt({ typ: "JWT", claims: {}, algorithm: "ES256" }, it.deps);
    expect(JSON.parse(Buffer.from(token.split(".")[0] ?? "", "base64url").toString())).toMatchObject({
      kid: left[0]?.kid,
    });
    const rows = await auditRows();
    expect(rows.filter(({ action }) => action === "signing_key.distrust")).toMatchObject([
      {
        object: left[0]?.kid,
        actorName: ADMIN.name,
        detail: { withdrawn: expect.arrayContaining([expect.any(String)]) },
      },
    ]);
  });

  test("CO-60 all keys can be distrusted in the second in which a key was rotated", async () => {
    it.clock.now += 60;
    await rotate("now");
    const [rotated] = (await keys()).filter(({ state }) => state === "current");
    await rotate("distrust");
    const left = await keys();
    expect(left).toMatchObject([{ state: "current", signsFrom: it.clock.now }]);
    expect(left[0]?.kid).not.toBe(rotated?.kid);
  });
});
