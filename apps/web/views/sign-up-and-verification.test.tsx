/** @jsxImportSource preact */
import type { VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import { expect, test } from "vitest";
import { ProfilePage } from "./account/profile.tsx";
import { SignInPage } from "./sign-in/sign-in.tsx";
import { frame } from "./testing/frame.ts";

const user = {
  id: "ada",
  email: "ada@example.com",
  name: "Ada",
  role: "user",
  disabledAt: null,
  accessEpoch: 0,
  signInEpoch: 0,
  emailVerifiedAt: null,
  locale: null,
} as const;
const account = { frame: frame(), csrf: "session", user, picture: undefined, consoleUrl: undefined, notice: undefined };
const continuation = { request: "sealed", next: undefined };

test("RG-01 the sign-in page offers an account only where everybody can create one", () => {
  const page = (signUp: boolean) =>
    renderToString(<SignInPage frame={frame()} continuation={continuation} csrf="token" signUp={signUp} />);
  expect(page(true)).toMatch(/<a href="\/sign-up\?request=sealed">Create an account<\/a>/);
  expect(page(false)).not.toMatch(/\/sign-up|Create an account/);
});

test("RG-02 the account offers to verify its address, with the token of the browser", () => {
  const banner = (page: VNode) => /<form[^>]*action="\/verify-email".*?<\/form>/s.exec(renderToString(page))?.[0];
  const html = banner(<ProfilePage {...account} verifyCsrf="browser" />);
  for (const part of [
    'name="csrf" value="browser"',
    'name="of" value="verify"',
    'value="send"',
    "Verify your email address",
  ])
    expect(html).toContain(part);
  expect(banner(<ProfilePage {...account} />)).toBeUndefined();
});
