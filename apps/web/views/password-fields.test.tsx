/** @jsxImportSource preact */
import { renderToString } from "preact-render-to-string";
import { describe, expect, test } from "vitest";
import { PasswordPage } from "./account/password.tsx";
import { InvitationPage } from "./invitation.tsx";
import { ResetPasswordPage } from "./reset-password.tsx";
import { ConfirmPage } from "./sign-in/confirm.tsx";
import { NewPasswordPage } from "./sign-in/new-password.tsx";
import { SignInPage } from "./sign-in/sign-in.tsx";
import { SignUpPage } from "./sign-up.tsx";
import { frame } from "./testing/frame.ts";
import { SignUpElsewherePage, TakeOverPage } from "./verify-email.tsx";

const LEAST = 12;
const REFUSED = "Not that one.";
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
const account = { frame: frame(), csrf: "c", user, picture: undefined, consoleUrl: undefined, notice: undefined };
const continuation = { request: undefined, next: undefined };
const form = { frame: frame(), csrf: "c", email: user.email, link: "link", leastCharacters: LEAST };
const asked = { missing: { first: true, second: null }, hasPassword: true, hasRecoveryCodes: false } as const;

/** The pages where a password is chosen, with the reason why one is refused, if any. */
const CHOOSING = {
  "/sign-up": (problem?: string) => (
    <SignUpPage
      {...form}
      continuation={continuation}
      ceremony={undefined}
      {...(problem && { problem, field: "password" })}
    />
  ),
  "/invitation": (problem?: string) => (
    <InvitationPage
      {...form}
      inviter={undefined}
      ceremony={undefined}
      {...(problem && { problem, field: "password" })}
    />
  ),
  "/verify-email in another browser": (problem?: string) => (
    <SignUpElsewherePage {...form} ceremony={undefined} {...(problem && { problem, field: "password" })} />
  ),
  "/verify-email of a taken address": (problem?: string) => <TakeOverPage {...form} problem={problem} />,
  "/reset-password": (problem?: string) => (
    <ResetPasswordPage {...form} needsRecoveryCode={false} {...(problem && { problem, field: "password" })} />
  ),
  "/sign-in/new-password": (problem?: string) => (
    <NewPasswordPage {...form} fields={{ ...continuation, ticket: "ticket" }} problem={problem} />
  ),
  "/account/password": (problem?: string) => (
    <PasswordPage
      {...account}
      hasPassword
      asksCurrent
      leastCharacters={LEAST}
      {...(problem && { problem, field: "password" })}
    />
  ),
};

const ENTERING = {
  "/sign-in": () => <SignInPage {...form} continuation={continuation} />,
  "/sign-in/confirm": () => (
    <ConfirmPage
      {...{ ...asked, frame: frame(), user, csrf: "c", act: undefined, ceremony: undefined, providers: [] }}
      {...{ problem: undefined, next: undefined, form: undefined }}
    />
  ),
};

describe.each(Object.entries({ ...CHOOSING, ...ENTERING }))("PW-02 on %s", (_, content) => {
  const html = renderToString(content());

  test("every password can be shown where scripts run, by a button that sends nothing", () => {
    const fields = [...html.matchAll(/<input id="([^"]+)"[^>]*type="password"[^>]*>(.*?)<\/div>/g)];
    expect(fields.length).toBeGreaterThan(0);
    for (const [, id, after] of fields)
      expect(after).toMatch(
        new RegExp(`^<button type="button" class="show" hidden data-shows="${id}" aria-pressed="false">`),
      );
    expect(html).toContain('<script src="/assets/pages.js" defer></script></head>');
  });

  test("no spelling service reads a password that is shown", () => {
    for (const [field] of html.matchAll(/<input[^>]*type="password"[^>]*>/g))
      expect(field).toMatch(/autocapitalize="none" spellcheck="?false"?/);
  });
});

describe.each(Object.entries(CHOOSING))("PW-01 AX-01 on %s", (_, content) => {
  test("what is demanded of a password stands above its field, and describes it", () => {
    const html = renderToString(content());
    const field = html.indexOf('<input id="password"');
    const rule = html.indexOf(`At least ${LEAST} characters`);
    expect(rule).toBeGreaterThan(html.indexOf('<label for="password"'));
    expect(rule).toBeLessThan(field);
    expect(html.slice(field)).toMatch(/^<input[^>]*aria-describedby="password-rule"/);
    expect(html).toMatch(/<form class="stack"[^>]* novalidate/);
  });

  test("the reason why one is refused stands at the field, once, and describes it before the rule", () => {
    const html = renderToString(content(REFUSED));
    expect(html).toMatch(/<input id="password"[^>]*aria-describedby="password-problem password-rule"[^>]*>/);
    expect(html).toMatch(/<input id="password"[^>]*aria-invalid="true"/);
    expect(html).toContain(`<p class="problem" role="alert" id="password-problem">${REFUSED}</p>`);
    expect(html.split(REFUSED)).toHaveLength(2);
  });
});
