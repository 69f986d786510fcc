import { ACR, deviceAuthorization } from "@gatehouse/auth";
import { registerClient } from "@gatehouse/console/clients/register";
import { ADMIN, seedApplication, webClient } from "@gatehouse/console/testing/installation";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Browser, openPages, PASSWORD, type Pages } from "../testing/pages.ts";

const DEVICE = ["urn:ietf:params:oauth:grant-type:device_code"] as const;

let pages: Pages;
let clientId: string;

beforeAll(async () => {
  pages = await openPages();
  const { applicationId } = await seedApplication(pages.app.deps);
  const draft = webClient({ type: "device", redirectUris: [], scopes: ["api:read"], grantTypes: [...DEVICE] });
  clientId = (await registerClient({ ...draft, applicationId, name: "TV" }, ADMIN, pages.app.deps)).client.clientId;
});
afterAll(() => pages.close());
beforeEach(() => {
  pages.clock.now += 3600;
  pages.app.deps.config.secondFactor = { everybody: false, roles: [] };
});

/** A device asks; returns the path of its page. */
async function begun(): Promise<string> {
  const body = new URLSearchParams({ client_id: clientId });
  const request = new Request("http://localhost:3000/device_authorization", { method: "POST", body });
  const answer = await (await deviceAuthorization(request, pages.app.deps, { address: "192.0.2.1" })).json();
  return `/device?user_code=${answer.user_code}`;
}

/** The page's form that decides. */
const formOf = (html: string) => html.slice(html.lastIndexOf("<form", html.indexOf('action="/device?')));
const allow = async (browser: Browser, path: string) =>
  browser.submit(formOf((await browser.get(path)).html), { decision: "allow" });
const reachesEnd = (html: string) => html.includes("Device connected");

describe("MF-09 a device is approved at the level that is demanded when the user presses Allow", () => {
  test("a session of before the demand takes the second step, and comes back to the device", async () => {
    const ada = await pages.account();
    const browser = pages.newBrowser();
    await browser.post("/sign-in", { email: ada.email, password: PASSWORD });
    await browser.post("/sign-in/second-step", { code: ada.code() });
    const { db } = pages.app.deps;
    const { tables } = db;
    await db.update(tables.sessions).set({ acr: ACR.password, amr: ["pwd"] });
    pages.app.deps.config.secondFactor = { everybody: true, roles: [] };

    const path = await begun();
    const led = await allow(browser, path);
    expect([led.response.status, led.location]).toEqual([
      303,
      expect.stringMatching(/^\/sign-in\/second-step\?request=.*raise=1/),
    ]);
    pages.clock.now += 60;
    const raised = await browser.post(led.location, { code: ada.code() });
    expect([raised.response.status, raised.location]).toEqual([303, path]);
    expect(reachesEnd((await allow(browser, path)).html)).toBe(true);
  });

  test("MF-11 a sign-in that is older than the client allows is taken again, and comes back to the device", async () => {
    const ada = await pages.account({ totp: false });
    const browser = pages.newBrowser();
    await browser.post("/sign-in", { email: ada.email, password: PASSWORD });
    const { db } = pages.app.deps;
    const { tables } = db;
    await db.update(tables.clients).set({ options: { defaultMaxAge: 60 } });
    pages.clock.now += 600;
    const path = await begun();
    const led = await allow(browser, path);
    expect(led.location).toMatch(/^\/sign-in\/confirm\?request=/);
    const back = await browser.post(led.location, { email: ada.email, password: PASSWORD });
    expect(back.location).toBe(path);
    expect(reachesEnd((await allow(browser, path)).html)).toBe(true);
    await db.update(tables.clients).set({ options: {} });
  });

  test("DF-09 AZ-31 a form that did not come from the page of this request leads to the page", async () => {
    const ada = await pages.account({ totp: false });
    const browser = pages.newBrowser();
    await browser.post("/sign-in", { email: ada.email, password: PASSWORD });
    const [path, other] = [await begun(), await begun()];
    const answer = await browser.submit(
      formOf((await browser.get(other)).html),
      { decision: "allow", user_code: path.split("=")[1] ?? "" },
      "/device",
    );
    expect([answer.response.status, answer.location]).toEqual([303, path]);
  });
});
