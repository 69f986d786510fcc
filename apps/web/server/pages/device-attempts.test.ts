import { afterAll, beforeAll, expect, test } from "vitest";
import { openPages, type Pages } from "./testing/pages.ts";

const STARTS = 300;

let pages: Pages;
beforeAll(async () => {
  // Limits follow the machine's clock, and the sweep of a start deletes what is over by the application's.
  pages = await openPages({ now: Math.floor(Date.now() / 1000) });
});
afterAll(() => pages.close());

test("DF-11 device flows from changing addresses of one /64 share a limit, and other networks are not affected", async () => {
  const start = (address: string) => pages.app.deviceAttempts.start({ address }).begin();
  for (let at = 0; at < STARTS; at++) expect(await start(`2001:db8:bad:2::${at.toString(16)}`)).toBe(0);
  expect(await start("2001:db8:bad:2::ffff")).toBeGreaterThan(0);
  expect(await start("2001:db8:bad:3::1")).toBe(0);
});

test("DF-11 the answer beyond the limit is 429 with Retry-After", async () => {
  const { POST } = await import("../../app/device_authorization/route.ts");
  // No server has set the address of a request here.
  for (let at = 0; at < STARTS; at++) await pages.app.deviceAttempts.start({ address: null }).begin();
  const body = new URLSearchParams({ client_id: "nobody" });
  const answer = await POST(new Request("http://localhost:3000/device_authorization", { method: "POST", body }), { params: {} });
  expect([answer.status, Number(answer.headers.get("retry-after")) > 0]).toEqual([429, true]);
  expect(await answer.json()).toMatchObject({ error: "temporarily_unavailable" });
});
