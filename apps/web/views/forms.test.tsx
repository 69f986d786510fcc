/** @jsxImportSource preact */
import { renderToString } from "preact-render-to-string";
import { describe, expect, test } from "vitest";
import { ConsentPage } from "./consent.tsx";
import { DeviceCodePage } from "./device.tsx";
import { RefusedPage } from "./message.tsx";
import { SignInPage } from "./sign-in/sign-in.tsx";
import { SignUpPage } from "./sign-up.tsx";
import { frame } from "./testing/frame.ts";

const EVIL = `"><script src="https://evil.test/x.js">alert('1')</script>`;
const continuation = { request: EVIL, next: EVIL };
const view = {
  client: { clientId: EVIL, applicationName: EVIL, environment: "production", type: "native" } as const,
  redirectHost: EVIL,
  scopes: [{ name: EVIL, description: EVIL, resource: EVIL, isNew: true }],
  unverified: true,
  testRun: false,
  selfDescribed: undefined,
  onThisMachine: false,
};

/** Every page with a form, with hostile text wherever text comes from outside. */
const PAGES = [
  [
    "/sign-in",
    renderToString(
      <SignInPage frame={frame()} continuation={continuation} csrf="token" app={EVIL} email={EVIL} problem={EVIL} />,
    ),
  ],
  [
    "/sign-up",
    renderToString(
      <SignUpPage
        frame={frame()}
        continuation={continuation}
        csrf="token"
        app={EVIL}
        name={EVIL}
        email={EVIL}
        leastCharacters={15}
        ceremony={undefined}
        problem={EVIL}
      />,
    ),
  ],
  [
    "/consent",
    renderToString(<ConsentPage frame={frame()} view={{ ...view, request: EVIL }} csrf="token" email={EVIL} />),
  ],
  [
    "/device",
    renderToString(<DeviceCodePage frame={frame()} csrf="token" email={EVIL} userCode={EVIL} problem={EVIL} />),
  ],
] as const;

const withoutOurScript = (html: string) => html.replace('<script src="/assets/pages.js" defer></script></head>', "");

describe.each(PAGES)("the page %s", (path, html) => {
  const forms = [...html.matchAll(/<form[^>]*>.*?<\/form>/gs)].map(([form]) => form);

  test("D16 interop-17 has a form that posts to itself, works without scripts and carries its CSRF token", () => {
    expect(forms.some((form) => form.includes(`action="${path}"`) || form.includes(`action="${path}?`))).toBe(true);
    for (const form of forms) {
      expect(form).toMatch(/^<form[^>]* method="post"/);
      expect(form).toContain('<input type="hidden" name="csrf" value="token"/>');
      expect(form).toContain('type="submit"');
    }
  });

  test("SE-13 escapes all text from outside", () => {
    expect(withoutOurScript(html)).not.toContain("<script");
    expect(html).toContain("&quot;>&lt;script");
  });

  test("SE-14 D16 has no script but ours, and loads nothing from other hosts", () => {
    expect(withoutOurScript(html)).not.toMatch(/<(script|iframe|object|embed|img)\b|\son[a-z]+="|javascript:/i);
    expect([...html.matchAll(/\b(?:src|href|action)="([^"]*)"/g)].map(([, to]) => to)).toSatisfy((links: string[]) =>
      links.every((link) => /^\/(?!\/)/.test(link)),
    );
  });
});

test("AZ-07 SE-13 the error page escapes its text and links to no other host", () => {
  const html = renderToString(<RefusedPage frame={frame()} detail={EVIL} errorId="ABC" />);
  expect(html).not.toContain("<script");
  expect([...html.matchAll(/href="([^"]*)"/g)].map(([, to]) => to)).toSatisfy((links: string[]) =>
    links.every((to) => /^\/(?!\/)/.test(to)),
  );
});
