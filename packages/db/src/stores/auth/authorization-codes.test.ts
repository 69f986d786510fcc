import { sha256 } from "@gatehouse/auth";
import { describe, expect, test } from "vitest";
import { ADA, GOOD, openAuthStore, race, winners } from "../../testing/auth-store.ts";
import { engines } from "../../testing/engines.ts";
import { NOW } from "../../testing/people.ts";

describe.each(engines)("the protocol's store on $name", ({ open }) => {
  const it = openAuthStore(open);
  const { aCode, anAccessToken, aRefreshFamily, bought, isThere } = it;

  describe("authorization codes", () => {
    test("come back as saved, with the status of their grant, client and user", async () => {
      const code = await aCode();
      expect(await it.store.findCode(code.hash)).toEqual({
        ...code,
        ...GOOD,
        redeemedAt: null,
        failedAttempts: 0,
        user: ADA,
      });
      expect(await it.store.findCode(sha256("guess"))).toBeUndefined();
    });

    test("AC-03: of 50 parallel redemptions exactly one wins, and a replay is recognised", async () => {
      const { hash, grantId } = await aCode();
      expect(winners(await race(() => it.store.redeemCode(hash, NOW, bought(grantId))))).toBe(1);
      expect(await it.store.findCode(hash)).toMatchObject({ redeemedAt: NOW });
    });

    test("AC-03: the tokens exist if and only if the code was redeemed", async () => {
      const { hash, grantId } = await aCode();
      const [first, second] = [bought(grantId), bought(grantId)];
      expect(await it.store.redeemCode(hash, NOW, first)).toBe(true);
      expect(await it.store.redeemCode(hash, NOW, second)).toBe(false);
      expect([await isThere(first), await isThere(second)]).toEqual([
        [true, true],
        [false, false],
      ]);
    });

    test("an expired code is not redeemed though its row is there", async () => {
      const { hash, grantId } = await aCode({ expiresAt: NOW });
      expect(await it.store.redeemCode(hash, NOW, bought(grantId))).toBe(false);
    });

    test("TK-14: many codes that are redeemed at once, some of them twice and one that is spent, buy one set of tokens each", async () => {
      const codes = await Promise.all(Array.from({ length: 12 }, aCode));
      const [spent] = codes as [Awaited<ReturnType<typeof aCode>>];
      expect(await it.store.redeemCode(spent.hash, NOW, bought(spent.grantId))).toBe(true);
      const attempts = [...codes, ...codes].map(({ hash, grantId }) => ({ hash, tokens: bought(grantId) }));
      const won = await Promise.all(attempts.map(({ hash, tokens }) => it.store.redeemCode(hash, NOW, tokens)));
      for (const { hash } of codes)
        expect(won.filter((one, at) => one && attempts[at]?.hash === hash)).toHaveLength(hash === spent.hash ? 0 : 1);
      for (const [at, { tokens }] of attempts.entries()) expect(await isThere(tokens)).toEqual([won[at], won[at]]);
    });

    test("PK-06: dies at the fifth wrong verifier, also when they race", async () => {
      const { hash, grantId } = await aCode();
      await Promise.all(Array.from({ length: 4 }, () => it.store.countFailedVerifier(hash)));
      expect(await it.store.findCode(hash)).toMatchObject({ failedAttempts: 4 });
      await it.store.countFailedVerifier(hash);
      expect(await it.store.redeemCode(hash, NOW, bought(grantId))).toBe(false);
    });

    test("AC-04: after a replay no token of the grant is live, nor one still being written", async () => {
      const code = await aCode();
      const before = await anAccessToken({ grantId: code.grantId });
      await it.store.revokeGrant(code.grantId, "code replayed", NOW + 1);
      const after = await anAccessToken({ grantId: code.grantId });
      const refresh = await aRefreshFamily({ grantId: code.grantId });
      for (const found of [
        await it.store.findAccessToken(before.hash),
        await it.store.findAccessToken(after.hash),
        await it.store.findRefreshFamily(refresh.id),
        await it.store.findCode(code.hash),
      ]) {
        expect(found).toMatchObject({ grantRevokedAt: NOW + 1 });
      }
      await it.store.revokeGrant(code.grantId, "again", NOW + 2);
      expect(await it.store.findCode(code.hash)).toMatchObject({ grantRevokedAt: NOW + 1 });
    });
  });
});
