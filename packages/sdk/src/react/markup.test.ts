import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Show, SignInButton, SignOutButton, UserButton } from "./index.tsx";

test("PK-55 the buttons work without scripts: a link that nothing loads ahead, and a form", () => {
  expect(renderToStaticMarkup(createElement(SignInButton, { className: "b" }))).toBe(
    '<a class="b" href="/auth/sign-in">Sign in</a>',
  );
  const elsewhere = { path: "/shop/auth", returnTo: "/orders?a=1&b=2" };
  expect(renderToStaticMarkup(createElement(SignInButton, elsewhere))).toBe(
    '<a href="/shop/auth/sign-in?return_to=%2Forders%3Fa%3D1%26b%3D2">Sign in</a>',
  );
  expect(renderToStaticMarkup(createElement(SignOutButton, null, "Leave"))).toBe(
    '<form action="/auth/sign-out" method="post"><button type="submit">Leave</button></form>',
  );
});

test("PK-55 the server renders what is shown until it is known who is signed in", () => {
  const plans = createElement(Show, { when: "signed-in", fallback: "…", children: "Plans" });
  expect(renderToStaticMarkup(plans)).toBe("…");
  expect(renderToStaticMarkup(createElement(UserButton))).toBe("");
});
