import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import { json, postForm, send } from "../harness/http.ts";
import { type Browser, FETCH, NAVIGATION } from "../harness/sdk-browser.ts";
import { expectAcrossExpiry } from "../harness/sdk-expiry.ts";
import { type Product, startProduct } from "../harness/sdk-product.ts";
import * as stories from "./sdk-stories.ts";
import { RENEWS } from "./sdk-stories.ts";

// A product with @gatehouse/sdk on node:http, in two processes behind one address, against the built server. Its clock is
// moved, since nobody can wait for tokens to expire; what is between it and the server can be slow or gone.

const [issuer, env] = [inject("issuer"), inject("env")];
const PEOPLE = ["sdk-ada", "sdk-disabled", "sdk-revoked", "sdk-elsewhere"];
let shop: Product;
/** Its refresh tokens rotate, and it checks its sessions so rarely that only notices end them. */
let rotating: Product;

beforeAll(async () => {
  [shop, rotating] = await Promise.all([
    startProduct({ issuer, env }, { name: "shop", people: PEOPLE, processes: 2 }),
    startProduct({ issuer, env }, { name: "rotating", people: [], processes: 2, rotation: true, check: 60 }),
  ]);
});
afterAll(async () => {
  await Promise.all([shop?.stop(), rotating?.stop()]);
});
beforeEach(async () => {
  for (const product of [shop, rotating]) {
    product.relay.hold = () => undefined;
    await product.setClock(0);
  }
});

const signedIn = (product: Product): Promise<Browser> => stories.signedIn(product, "sdk-ada");

describe("renewing", () => {
  test.each([
    ["kept", () => shop],
    ["rotated", () => rotating],
  ])("N81 PK-31 fifty requests across expiry in two processes, refresh tokens %s", async (_, product) => {
    await expectAcrossExpiry(product(), await signedIn(product()), { rounds: 1, stepSeconds: RENEWS });
  });

  test("N82 a lost response: the old cookie of two renewals ago signs out once, and in again without a loop", () =>
    stories.losesResponses(rotating, "sdk-ada"));

  test("N83 signing out while a renewal hangs: the late answer revives nothing, in either process", () =>
    stories.signsOutDuringRenewal(shop, "sdk-ada"));
});

describe("N84 PK-33 what ends elsewhere", () => {
  test.each([
    ["an admin disables the user", "sdk-disabled"],
    ["an admin revokes the user's tokens", "sdk-revoked"],
  ] as const)("refused within ten seconds, and at once where it has to be live: %s", (ending, person) =>
    stories.endsElsewhere(shop, issuer, person, ending),
  );

  test("PK-34 signing out elsewhere ends this product's session at once, by a notice", () =>
    stories.isNotified(rotating, "sdk-elsewhere"));
});

describe("sign-in and sign-out", () => {
  test.each([
    ["another host", "//evil.example"],
    ["an escaped backslash", "/%5cevil.example"],
    ["a backslash", "/\\evil.example"],
    ["a handler", "/auth/sign-out"],
    ["5,000 characters", `/${"x".repeat(5000)}`],
  ])("N85 a return_to with %s leads to the start page", async (_, value) => {
    const ada = await shop.browser("sdk-ada");
    const back = await ada.signIn(`?return_to=${encodeURIComponent(value)}`);
    expect(back.headers.get("location")).toBe(`${shop.appUrl}/`);
  });

  test("N86 a link, a prefetch and another site's form do not sign out; the app's own does, also at the server", async () => {
    const ada = await signedIn(shop);
    const other = { ...NAVIGATION, "sec-fetch-site": "cross-site" };
    expect((await ada.open("/auth/sign-out")).status).toBe(405);
    expect((await ada.open("/auth/sign-out", { ...NAVIGATION, "sec-purpose": "prefetch" })).status).toBe(405);
    expect((await ada.post("/auth/sign-out", other)).status).toBe(403);
    expect(await ada.status()).toBe("signed-in");

    const out = await ada.post("/auth/sign-out");
    const page = await ada.server.request((out.headers.get("location") ?? "").slice(issuer.length));
    expect([out.status, page.status, page.headers.get("location")]).toEqual([303, 303, `${shop.appUrl}/`]);
    expect(ada.cookies.size).toBe(0);
    expect((await ada.server.open("/account")).url).toContain("/sign-in");
  });

  test("N87 a callback with another browser's state, used twice, of another issuer or with markup: a page, no session", async () => {
    const [ada, eve] = [await shop.browser("sdk-ada"), await shop.browser("sdk-ada")];
    const url = await ada.visitServer(await ada.beginSignIn());
    expect((await eve.open(url)).status).toBe(400);
    expect(
      (await ada.open(url.replace(encodeURIComponent(issuer), encodeURIComponent("https://evil.example")))).status,
    ).toBe(400);
    expect([await ada.status(), await eve.status()]).toEqual(["signed-out", "signed-out"]);

    const twice = await ada.visitServer(await ada.beginSignIn());
    expect([(await ada.open(twice)).status, (await ada.open(twice)).status]).toEqual([303, 400]);
    expect(await ada.status()).toBe("signed-in");

    const state = new URL(await eve.beginSignIn()).searchParams.get("state");
    const markup = encodeURIComponent("<script>alert(1)</script>");
    const page = await eve.open(
      `/auth/callback?error=${markup}&error_description=${markup}&iss=${encodeURIComponent(issuer)}&state=${state}`,
    );
    expect([page.status, page.text.includes("<script")]).toEqual([400, false]);
  });

  test("N88 no cookie that the app did not make opens anything, or breaks it", async () => {
    const [ada, other] = [await signedIn(shop), await signedIn(rotating)];
    const [name = ""] = [...ada.cookies.keys()].filter((one) => one.endsWith("_session"));
    const value = ada.cookies.get(name) ?? "";
    const [foreign = ""] = [...other.cookies].filter(([one]) => one.endsWith("_session")).map(([, one]) => one);
    const middle = Math.floor(value.length / 2);
    const flipped = value.slice(0, middle) + (value[middle] === "A" ? "B" : "A") + value.slice(middle + 1);
    const hundred = Array.from({ length: 100 }, (_, at) => `${name}.${at}=4.AAAAAAAA.${value.slice(0, 20)}`).join("; ");
    const cookies = [
      `${name}=${flipped}`,
      `${name}=${foreign}`,
      `${name}=3.AAAAAAAA.${value}`,
      `${name}=`,
      hundred,
      `${name}=%zz`,
    ];
    for (const cookie of cookies) {
      const answer = await send(shop.appUrl, "/orders", { headers: { ...FETCH, cookie } });
      expect([answer.status, answer.setCookies]).toEqual([401, []]);
    }
    expect(await ada.status()).toBe("signed-in");
  });

  test("N92 PK-54 an unsafe request of a sibling host, another port or nobody is refused", async () => {
    const ada = await signedIn(shop);
    const { port } = new URL(shop.origins[1] ?? "");
    const own = { origin: shop.appUrl };
    const foreign = [{ "sec-fetch-site": "same-site" }, { origin: `http://localhost:${port}` }, { origin: "null" }, {}];
    for (const headers of foreign) expect((await ada.post("/orders", headers)).status).toBe(403);
    expect((await ada.post("/orders", own)).status).toBe(200);
  });

  test("N99 of twenty tabs that begin to sign in, the last five finish", async () => {
    const ada = await shop.browser("sdk-ada");
    const begun: string[] = [];
    for (let tab = 0; tab < 20; tab++) begun.push(await ada.beginSignIn(`?return_to=/tab/${tab}`));
    for (let ahead = 0; ahead < 100; ahead++)
      expect((await ada.open("/auth/sign-in", { ...NAVIGATION, "sec-purpose": "prefetch" })).status).toBe(204);
    expect(ada.cookieHeader().length).toBeLessThan(8192);
    for (const [tab, location] of begun.entries()) {
      if (tab < 13) continue; // that each of the first fifteen fails is the unit test's
      expect((await ada.open(await ada.visitServer(location))).status).toBe(tab < 15 ? 400 : 303);
    }
    expect(await ada.status()).toBe("signed-in");
  });
});

describe("N97 PK-32 the server is gone", () => {
  test("at sign-in, at a check and at a renewal; when it is back, the session goes on", async () => {
    const ada = await signedIn(shop);
    await shop.relay.down();
    try {
      const page = await (await shop.browser("sdk-ada")).open("/auth/sign-in?return_to=/orders");
      expect([page.status, page.headers.get("retry-after"), page.headers.get("location")]).toEqual([503, "5", null]);
      await shop.setClock(20);
      expect((await ada.open("/orders")).status).toBe(200);
      expect((await ada.fetch("/live")).status).toBe(503);
      await shop.setClock(RENEWS);
      expect((await ada.open("/orders")).status).toBe(200);
      await shop.setClock(601);
      const late = await ada.open("/orders");
      expect([late.status, late.headers.get("retry-after"), late.setCookies]).toEqual([503, "5", []]);
      expect(json(await ada.fetch("/auth/session"))).toEqual({ status: "unavailable", user: null });
    } finally {
      await shop.relay.up();
    }
    expect((await ada.open("/orders")).status).toBe(200);
    expect(shop.output()).not.toMatch(/g[a-z]{2}_|eyJ/); // PK-60
  });
});

test("N98 a logout notice that is no logout token ends nothing", async () => {
  const ada = await signedIn(shop);
  const other = await signedIn(shop);
  const location = (await other.post("/auth/sign-out")).headers.get("location") ?? "";
  const idToken = new URL(location).searchParams.get("id_token_hint") ?? "";
  const [header = "", claims, signature] = idToken.split(".");
  const renamed = Buffer.from(header, "base64url").toString().replace('"JWT"', '"logout+jwt"');
  const tokens = [idToken, `${Buffer.from(renamed).toString("base64url")}.${claims}.${signature}`, "x.y.z", ""];
  for (const logout_token of tokens) {
    const answer = await postForm(shop.appUrl, "/auth/backchannel-logout", { logout_token });
    expect([answer.status, json(answer)["error"]]).toEqual([400, "invalid_request"]);
  }
  expect(await ada.status()).toBe("signed-in");
});
