import { expect, test } from "vitest";
import { APP } from "../../testing/browser.ts";
import { product } from "../../testing/product.ts";
import { pagePathHeader } from "./page-path.ts";
import { type PageSignInOptions, pageSignInPath } from "./sign-in-path.ts";

const pathOf = (headers: HeadersInit = {}, options: PageSignInOptions = {}, appUrl = APP) =>
  pageSignInPath(product({ appUrl }).core, new Headers(headers), options);

test("PK-46 the user returns to the page of the request, as the proxy names it, and nowhere else", async () => {
  expect(await pathOf([pagePathHeader("/orders?of=1")])).toBe("/auth/sign-in?return_to=%2Forders%3Fof%3D1");
  for (const headers of [{}, { "x-gatehouse-page": "guess /evil" }, { referer: `${APP}/evil` }] as HeadersInit[])
    expect(await pathOf(headers)).toBe("/auth/sign-in?return_to=%2F");
  expect(await pathOf({ "next-action": "40ab", referer: `${APP}/orders` })).toMatch(/return_to=%2Forders$/);
  expect(await pathOf({ "next-action": "40ab", referer: "https://evil.example/orders" })).toMatch(/return_to=%2F$/);
});

test("PK-46 returnTo stays in the app, and both it and the path are without the base path", async () => {
  expect(await pathOf({}, { returnTo: "/orders" }, `${APP}/eu`)).toBe("/auth/sign-in?return_to=%2Feu%2Forders");
  expect(await pathOf([pagePathHeader("/eu/orders")], {}, `${APP}/eu`)).toMatch(/return_to=%2Feu%2Forders$/);
  for (const returnTo of ["//evil.example", "/auth/sign-out", "/%5cevil"])
    expect(await pathOf({}, { returnTo })).toBe("/auth/sign-in?return_to=%2F");
  expect(await pathOf({}, { returnTo: "/", maxAge: 0 })).toMatch(/^\/auth\/sign-in\?return_to=%2F&demand=ey/);
});
