import { describe, expect, test } from "vitest";
import { CookieJar } from "./cookies.ts";
import { findForm, visibleText } from "./forms.ts";
import { createUser, signIn } from "./index.ts";
import { loopbackUrl } from "./loopback.ts";

describe("PK-59 the testing kit talks to http on loopback alone", () => {
  const ELSEWHERE = [
    "https://id.example.com",
    "http://id.example.com",
    "https://localhost:3000",
    "http://localhost.evil.example",
    "nonsense",
  ];

  test.each(ELSEWHERE)("%s is refused, before anything is sent", async (url) => {
    const user = { email: "ada@example.com", password: "secret" };
    for (const call of [() => createUser({ issuer: url }), () => signIn({ url }, user)])
      await expect(call()).rejects.toMatchObject({
        code: "configuration",
        message: expect.stringMatching(/not http on localhost/),
      });
  });

  test("a redirect to another server is refused as well", () => {
    expect(() => loopbackUrl("https://evil.example/sign-in", "http://localhost:3000/auth/sign-in")).toThrow(
      /evil\.example/,
    );
    expect(loopbackUrl("/sign-in?a=1", "http://127.0.0.1:3000/").href).toBe("http://127.0.0.1:3000/sign-in?a=1");
  });
});

describe("forms of pages", () => {
  const PAGE = `<main><form action="/search"><input name="q"></form>
    <form class="stack" method=post action="/sign-in?a=1&amp;b=2"><input type='hidden' name='csrf' value='&quot;t&#39;&#x41;'>
    <input name="email"/><input type="password" name="password"><input type="checkbox" name="keep" value="1">
    <button name="action" value="send" formaction="/code">Code</button></form><script>secret()</script> It&#x27;s  wrong</main>`;

  test("the one with the fields is found, with what it would send", () => {
    expect(findForm(PAGE, "email", "password")).toEqual({
      action: "/sign-in?a=1&b=2",
      fields: { csrf: `"t'A`, email: "", password: "" },
    });
    expect(findForm(PAGE, "email", "code")).toBeUndefined();
  });

  test("an error has the words of the page alone", () => {
    expect(visibleText(PAGE)).toBe("Code It's wrong");
  });
});

describe("cookies", () => {
  const at = new URL("http://localhost:3000/auth/callback");
  const responseWith = (...lines: string[]) =>
    new Response(null, { headers: lines.map((line) => ["set-cookie", line]) });

  test("are kept by name and path, sent below their path, and deleted", () => {
    const jar = new CookieJar();
    jar.keep(
      responseWith(
        "a=1; Path=/; HttpOnly; SameSite=Lax",
        "b=2; Path=/auth; Max-Age=60",
        "c=3; SameSite=Strict; Secure",
      ),
      at,
    );
    expect(jar.headerFor(new URL("http://localhost:4000/"))).toBe("a=1; c=3");
    expect(jar.headerFor(new URL("http://localhost:3000/auth/session"))).toBe("a=1; b=2; c=3");
    expect(jar.headerFor(new URL("http://localhost:3000/authors"))).toBe("a=1; c=3");
    expect(jar.headerFor(new URL("http://127.0.0.1:3000/"))).toBe("");
    expect(jar.all()[0]).toMatchObject({ expires: -1, httpOnly: true, sameSite: "Lax", domain: "localhost" });
    jar.keep(responseWith("a=; Path=/; Max-Age=0", "c=; Expires=Thu, 01 Jan 1970 00:00:00 GMT"), at);
    expect(jar.all().map(({ name }) => name)).toEqual(["b"]);
  });
});
