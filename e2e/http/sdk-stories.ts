import { expect } from "vitest";
import { newAgent } from "../harness/agent.ts";
import { emailOf } from "../harness/fixture.ts";
import { json, send } from "../harness/http.ts";
import { openMailbox } from "../harness/mailbox.ts";
import { type Browser, FETCH, NAVIGATION } from "../harness/sdk-browser.ts";
import type { Product } from "../harness/sdk-product.ts";
import { consoleToken, dataOf, mutate, query } from "../harness/trpc.ts";

// What happens to sessions of a product in two processes, whatever it is built with. Tokens live ten minutes.

/** Far enough that tokens are renewed. */
export const RENEWS = 545;

export async function signedIn(product: Product, person: string): Promise<Browser> {
  const browser = await product.browser(person);
  expect((await browser.signIn("?return_to=/orders")).status).toBe(303);
  expect((await browser.open("/orders")).status).toBe(200);
  return browser;
}

/** N82, where refresh tokens rotate: a browser gets its cookies of two renewals ago back. */
export async function losesResponses(product: Product, person: string): Promise<void> {
  const browser = await signedIn(product, person);
  await product.setClock(RENEWS);
  const old = new Map(browser.cookies);
  for (const ahead of [RENEWS, 2 * RENEWS]) {
    await product.setClock(ahead);
    expect((await browser.open("/orders")).status).toBe(200);
  }
  for (const [name, value] of old) browser.cookies.set(name, value);
  expect(await browser.visit("/orders", 1)).toEqual({ status: 200, signIns: 1 });
  expect(await browser.visit("/orders", 0)).toEqual({ status: 200, signIns: 0 });
}

/** N83: the late answer revives nothing, in either process. */
export async function signsOutDuringRenewal(product: Product, person: string): Promise<void> {
  const browser = await signedIn(product, person);
  await product.setClock(RENEWS);
  const cookie = browser.cookieHeader();
  const other = await browser.open("/orders", NAVIGATION, 1); // renewed by the other process, and not kept yet
  browser.cookies.clear();
  for (const pair of cookie.split("; ")) browser.cookies.set(...(pair.split(/=(.*)/s).slice(0, 2) as [string, string]));

  let release = () => {};
  const arrived = new Promise<void>((resolve) => {
    product.relay.hold = (path) => {
      if (path !== "/token") return undefined;
      product.relay.hold = () => undefined;
      resolve();
      return new Promise((go) => {
        release = go;
      });
    };
  });
  const hanging = send(product.appUrl, "/orders", { headers: { ...FETCH, cookie } });
  await arrived;
  expect((await browser.post("/auth/sign-out")).status).toBe(303);
  release();
  const answer = await hanging;
  expect([answer.status, answer.setCookies]).toEqual([401, []]);

  for (const line of other.setCookies) browser.keep(line); // the other process's answer arrives after all
  await product.setClock(RENEWS + 10);
  expect(await browser.status(1)).toBe("signed-out");
  expect(await browser.status(0)).toBe("signed-out");
}

type Ended = { issuer: string; person: string; browser: Browser };

/** N84: what ends a session elsewhere. */
export const ENDINGS = {
  "an admin disables the user": (ended: Ended) => asAdmin(ended, (id) => ["users.setDisabled", { id, disabled: true }]),
  "an admin revokes the user's tokens": (ended: Ended) => asAdmin(ended, (id) => ["users.revokeTokens", { id }]),
  "an admin ends the user's sessions": (ended: Ended) => asAdmin(ended, (userId) => ["sessions.revokeAll", { userId }]),
  "the user resets the password": resetPassword,
  "the user signs out at the server": async ({ browser: { server } }: Ended) => {
    await server.submit(await server.open("/logout"), { button: "Sign out" });
  },
};
export type Ending = keyof typeof ENDINGS;

async function asAdmin({ issuer, person }: Ended, call: (id: string) => [name: string, input: object]): Promise<void> {
  const token = await consoleToken(issuer, "admin");
  const found = await query(issuer, "users.list", { query: emailOf(person) }, token);
  const { items } = dataOf<{ items: { id: string }[] }>(found);
  dataOf(await mutate(issuer, ...call(items[0]?.id ?? ""), token));
}

async function resetPassword({ issuer, person }: Ended): Promise<void> {
  const mailbox = await openMailbox(issuer);
  const agent = newAgent(issuer);
  await agent.submit(await agent.open("/forgot-password"), {
    fields: { Email: emailOf(person) },
    button: "Send reset link",
  });
  const { link } = await mailbox.next(emailOf(person), "reset_link");
  const form = await agent.open(link?.slice(issuer.length) ?? "");
  await agent.submit(form, { fields: { "New password": "a new and better password" }, button: "Set password" });
}

/** N84: at once where the answer has to be live, elsewhere within ten seconds, in both processes. */
export async function endsElsewhere(product: Product, issuer: string, person: string, ending: Ending): Promise<void> {
  const browser = await signedIn(product, person);
  expect((await browser.fetch("/orders", 1)).status).toBe(200);
  await ENDINGS[ending]({ issuer, person, browser });
  const cookie = browser.cookieHeader();
  const live = await browser.fetch("/live", 1);
  expect([live.status, live.setCookies.length]).toEqual([401, 1]);
  await product.setClock(10);
  for (const origin of product.origins) {
    const refused = await send(origin, "/orders", { headers: { ...FETCH, cookie } });
    expect([refused.status, json(refused)["error"]]).toEqual([401, "unauthenticated"]);
  }
}

/** N84, PK-34: without a check in between, a notice ends the session of a user who signs out elsewhere. */
export async function isNotified(product: Product, person: string): Promise<void> {
  const browser = await product.browser(person);
  await browser.signIn();
  expect(await browser.status()).toBe("signed-in");
  const { server } = browser;
  await server.submit(await server.open("/logout"), { button: "Sign out" });
  await expect.poll(() => browser.status()).toBe("signed-out");
  expect((await browser.open("/orders")).headers.get("location")).toContain("/auth/sign-in?return_to=%2Forders");
}
