import { CompactEncrypt, SignJWT } from "jose";
import { describe, expect, test } from "vitest";
import { createSeal, type SealedFor } from "./seal.ts";

const [SECRET, OLD] = ["only-for-tests-0123456789-0123456789", "once-for-tests-0123456789-0123456789"];
const PLACE: SealedFor = { purpose: "session", clientId: "shop", name: "gatehouse_session" };
const VALUE = { user: "Ada", at: 1 };
const BASE64URL = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const seal = await createSeal([SECRET], PLACE);

describe("PK-26 a sealed value", () => {
  test("is a compact JWE that only this app opens, and says nothing", async () => {
    const sealed = await seal.seal(VALUE);
    expect(sealed).toMatch(/^[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+$/);
    expect(atob(sealed.split(".")[0] ?? "")).toMatch(/^\{"alg":"dir","enc":"A256GCM","typ":"session","aud":"shop",/);
    expect(sealed).not.toContain(btoa("Ada").slice(0, 4));
    expect(await seal.open(sealed)).toEqual(VALUE);
    expect(await seal.seal(VALUE)).not.toBe(sealed);
  });

  test.each<Partial<SealedFor>>([{ purpose: "sign-ins" }, { clientId: "other" }, { name: "other_session" }])(
    "N88 does not open at another place: %o",
    async (change) => {
      const other = await createSeal([SECRET], { ...PLACE, ...change });
      expect(await seal.open(await other.seal(VALUE))).toBeUndefined();
      expect(await other.open(await seal.seal(VALUE))).toBeUndefined();
    },
  );

  test("PK-11 the old secret still opens, and no longer seals", async () => {
    const before = await createSeal([OLD], PLACE);
    const during = await createSeal([SECRET, OLD], PLACE);
    const sealed = await before.seal(VALUE);
    expect(await during.open(sealed)).toEqual(VALUE);
    expect(await seal.open(sealed)).toBeUndefined();
    expect(await seal.open(await during.seal(VALUE))).toEqual(VALUE);
  });

  test("N88 every flipped bit is noticed", async () => {
    const sealed = await seal.seal(VALUE);
    for (let at = 0; at < sealed.length; at++) {
      if (sealed[at] === ".") continue;
      // The highest of a character's six bits; the last character of a part may not use the lower ones.
      const flipped = BASE64URL[(BASE64URL.indexOf(sealed[at] ?? "") + 32) % 64];
      expect(await seal.open(sealed.slice(0, at) + flipped + sealed.slice(at + 1))).toBeUndefined();
    }
  });

  test("N88 another algorithm is refused, whatever it says", async () => {
    const key = crypto.getRandomValues(new Uint8Array(32));
    const header = { enc: "A256GCM", typ: "session", aud: "shop", name: PLACE.name } as const;
    const foreign = [
      await new CompactEncrypt(new TextEncoder().encode("{}"))
        .setProtectedHeader({ alg: "dir", ...header })
        .encrypt(key),
      await new CompactEncrypt(new TextEncoder().encode("{}"))
        .setProtectedHeader({ alg: "A256KW", ...header })
        .encrypt(key),
      await new SignJWT({}).setProtectedHeader({ alg: "HS256" }).sign(key),
      `${btoa('{"alg":"none"}')}.${btoa("{}")}.`,
      "",
      "....",
      "x".repeat(4000),
    ];
    for (const value of foreign) expect(await seal.open(value)).toBeUndefined();
  });
});
