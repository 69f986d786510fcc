import { localPath } from "@gatehouse/guard";
import { NextRequest } from "next/server";
import { afterAll, beforeAll, expect, test, vi } from "vitest";

vi.resetModules(); // the console reads its environment once
const { readSignIns, signInsCookie } = await import("./cookies.ts");

const KEY = "only-for-tests-0123456789-0123456789";
beforeAll(() => {
  vi.stubEnv("GATEHOUSE_CONSOLE_CLIENT_SECRET", KEY);
  vi.stubEnv("GATEHOUSE_CONSOLE_COOKIE_KEY", KEY);
  vi.stubEnv("GATEHOUSE_ADMIN_URL", "https://console.example.com");
  vi.stubEnv("GATEHOUSE_ISSUER", "https://id.example.com");
});
afterAll(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});

const LONGEST = localPath(`/${"x".repeat(2047)}`) ?? "/";
const signIn = (state: string, returnTo: string) => ({
  state: state.padEnd(43, "s"),
  verifier: "v".repeat(43),
  returnTo,
});

test("SE-08 sign-ins of the console fit into one cookie: a link with a long return path ends older ones, and never the newest", async () => {
  let kept: Awaited<ReturnType<typeof readSignIns>> = [];
  for (const [number, returnTo] of [LONGEST, "/", LONGEST, LONGEST, "/users", "/", "/audit", "/"].entries()) {
    const started = signIn(String(number), returnTo);
    const { name, value } = await signInsCookie([...kept, started]);
    expect(Buffer.byteLength(`${name}=${value}`)).toBeLessThanOrEqual(3_900);
    kept = await readSignIns(
      new NextRequest("https://console.example.com/", { headers: { cookie: `${name}=${value}` } }).cookies,
    );
    expect(kept.at(-1)).toEqual(started);
  }
  expect(LONGEST).toHaveLength(2048);
  expect(kept.map(({ returnTo }) => returnTo)).toEqual([LONGEST, "/users", "/", "/audit", "/"]);
});
