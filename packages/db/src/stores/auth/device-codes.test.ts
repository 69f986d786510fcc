import { sha256 } from "@gatehouse/auth";
import { describe, expect, test } from "vitest";
import { GOOD, openAuthStore, RACERS, race, winners } from "../../testing/auth-store.ts";
import { engines } from "../../testing/engines.ts";
import { NOW } from "../../testing/people.ts";

describe.each(engines)("the protocol's store on $name", ({ open }) => {
  const it = openAuthStore(open);
  const { freshHash, aGrant, aDeviceCode } = it;

  describe("device codes (RFC 8628)", () => {
    const undecided = {
      lastPolledAt: null,
      approvedAt: null,
      deniedAt: null,
      redeemedAt: null,
      userId: null,
      grantId: null,
      context: null,
    };

    test("come back as saved", async () => {
      const code = await aDeviceCode();
      expect(await it.store.findDeviceCode(code.hash)).toEqual({ ...code, ...undecided, ...GOOD, user: null });
      expect(await it.store.findPendingDeviceCode(code.userCode, NOW)).toEqual({ ...code, ...undecided });
      expect(await it.store.findDeviceCode(sha256("guess"))).toBeUndefined();
      expect(await it.store.findPendingDeviceCode("GUESSING", NOW)).toBeUndefined();
    });

    test("DF-06: a user code is unique among live codes", async () => {
      const { hash: _, ...code } = await aDeviceCode();
      expect(await it.store.saveDeviceCode({ ...code, hash: freshHash("device") })).toBe(false);
    });

    test("DF-07: an early poll lengthens the interval for all later ones", async () => {
      const { hash } = await aDeviceCode();
      const poll = (at: number) => it.store.pollDeviceCode(hash, NOW + at, 5);
      expect([await poll(0), await poll(4), await poll(13), await poll(28)]).toEqual([true, false, false, true]);
      expect(await it.store.findDeviceCode(hash)).toMatchObject({ intervalSeconds: 15, lastPolledAt: NOW + 28 });
      expect(await it.store.pollDeviceCode(sha256("guess"), NOW, 5)).toBe(false);
    });

    test("is decided once, by the first decision", async () => {
      const { hash, userCode } = await aDeviceCode();
      const by = { userId: "ada", grantId: await aGrant(), context: { authTime: NOW } };
      const decisions = Array.from({ length: RACERS }, (_, index) =>
        index % 2 ? it.store.approveDeviceCode(hash, by, NOW) : it.store.denyDeviceCode(hash, NOW),
      );
      expect(winners(await Promise.all(decisions))).toBe(1);
      expect(await it.store.findPendingDeviceCode(userCode, NOW)).toBeUndefined();
    });

    test("DF-08: of 50 parallel polls on an approved code exactly one redeems it", async () => {
      const { hash } = await aDeviceCode();
      expect(await it.store.redeemDeviceCode(hash, NOW)).toBe(false); // not approved yet
      const grantId = await aGrant();
      expect(await it.store.approveDeviceCode(hash, { userId: "ada", grantId, context: { authTime: NOW } }, NOW)).toBe(
        true,
      );
      expect(await it.store.findDeviceCode(hash)).toMatchObject({
        approvedAt: NOW,
        userId: "ada",
        grantId,
        context: { authTime: NOW },
      });
      expect(winners(await race(() => it.store.redeemDeviceCode(hash, NOW)))).toBe(1);
    });

    test("a denied code is never redeemed", async () => {
      const { hash } = await aDeviceCode();
      expect(await it.store.denyDeviceCode(hash, NOW)).toBe(true);
      expect(await it.store.approveDeviceCode(hash, { userId: "ada", grantId: "x", context: {} }, NOW)).toBe(false);
      expect(await it.store.redeemDeviceCode(hash, NOW)).toBe(false);
    });

    test("an expired code is neither found, decided nor redeemed though its row is there", async () => {
      const { hash, userCode } = await aDeviceCode({ expiresAt: NOW + 10 });
      const by = { userId: "ada", grantId: await aGrant(), context: { authTime: NOW } };
      expect(await it.store.findPendingDeviceCode(userCode, NOW + 10)).toBeUndefined();
      expect(await it.store.approveDeviceCode(hash, by, NOW + 10)).toBe(false);
      expect(await it.store.denyDeviceCode(hash, NOW + 10)).toBe(false);
      expect(await it.store.approveDeviceCode(hash, by, NOW + 9)).toBe(true);
      expect(await it.store.redeemDeviceCode(hash, NOW + 10)).toBe(false);
    });

    test("a code whose grant is gone is dead", async () => {
      const { hash } = await aDeviceCode();
      await it.store.approveDeviceCode(hash, { userId: "ada", grantId: "no-such-grant", context: {} }, NOW);
      expect(await it.store.findDeviceCode(hash)).toMatchObject({ grantRevokedAt: 0 });
    });
  });
});
