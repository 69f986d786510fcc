import { createContext, runInContext } from "node:vm";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { NOON, proof, proofKey } from "./testing/index.ts";

test("PK-14 guards and proofs are checked where there are Web APIs and nothing of Node", async () => {
  const { outputFiles } = await build({
    entryPoints: [`${import.meta.dirname}/index.ts`],
    bundle: true,
    write: false,
    platform: "neutral",
    format: "iife",
    globalName: "guard",
  });
  const web = { URL, Request, Response, Headers, TextEncoder, TextDecoder, crypto, CryptoKey, atob, btoa };
  const key = proofKey();
  const sent = proof(key, { accessToken: "token" });
  const context = createContext({ ...web, NOON, sent });
  runInContext(outputFiles[0]?.text ?? "", context);

  const guarded = `
    const check = guard.createGuard(guard.protectCallback().callback, { readSession: async () => undefined });
    check(new Request("https://app.example/api/protected"));
  `;
  const proven = `
    const request = new Request("https://gate.example/endpoint", { method: "POST", headers: { dpop: sent } });
    const { sha256 } = guard;
    const [origin, now, spendOnce] = [request.url, () => NOON, () => true];
    guard.requireProof(request, { accessToken: "token", origin, now, sha256, spendOnce });
  `;
  expect(await runInContext(guarded, context)).toMatchObject({ status: 401 });
  expect(await runInContext(proven, context)).toBe(key.jkt);
  expect(runInContext("[typeof process, typeof Buffer, typeof require].join()", context)).toBe(
    "undefined,undefined,undefined",
  );
});
