import { rotateKey, signJwt } from "@gatehouse/auth";
import { decodeProtectedHeader } from "jose";
import { describe, expect, test } from "vitest";
import { product } from "../../testing/product.ts";
import { sharedState } from "../process-state.ts";
import { readSessionSettings } from "../settings.ts";
import { serverKeys } from "./keys.ts";

async function keysOf() {
  const it = product();
  const settings = readSessionSettings(it.options, {});
  const find = serverKeys({ settings, state: sharedState(settings) });
  const token = () => signJwt({ typ: "JWT", claims: { sub: "x" }, algorithm: "ES256" }, it.s.deps);
  const ask = async (kid?: string) => {
    const header = decodeProtectedHeader(await token());
    return find({ ...header, alg: "ES256", ...(kid !== undefined && { kid }) }, { payload: "", signature: "" });
  };
  const fetches = () => it.server.seen["/.well-known/jwks.json"] ?? 0;
  const later = (seconds: number) => {
    it.s.clock.now += seconds;
  };
  return { ...it, ask, fetches, later };
}

describe("PK-49 the server's keys", () => {
  test("are fetched once for all who wait, and kept for ten minutes", async () => {
    const { ask, fetches, later } = await keysOf();
    await Promise.all([ask(), ask(), ask()]);
    later(599);
    await ask();
    expect(fetches()).toBe(1);
    later(1);
    await ask();
    expect(fetches()).toBe(2);
  });

  test("N96 a thousand unknown kids are one fetch in thirty seconds", async () => {
    const { ask, fetches, later } = await keysOf();
    await ask();
    later(31);
    const all = await Promise.allSettled(Array.from({ length: 1000 }, (_, at) => ask(`unknown-${at}`)));
    expect(all.every(({ status }) => status === "rejected")).toBe(true);
    expect(fetches()).toBe(2);
  });

  test("a new key is found, at the latest after thirty seconds", async () => {
    const { ask, fetches, later, s } = await keysOf();
    await ask();
    await rotateKey("ES256", true, s.deps);
    later(31);
    await ask();
    expect(fetches()).toBe(2);
  });

  test("serve for an hour while the server is down, and it is not asked at each use", async () => {
    const { ask, later, server } = await keysOf();
    await ask();
    server.isDown = true;
    later(601);
    await ask();
    later(2900);
    await ask();
    later(100);
    await expect(ask()).rejects.toMatchObject({ code: "unavailable" });
    server.isDown = false;
    later(31);
    await ask();
  });
});
