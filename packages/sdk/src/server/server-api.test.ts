import { authorizationServerMetadata } from "@gatehouse/auth";
import { describe, expect, test } from "vitest";
import { apiOptions } from "../../testing/api.ts";
import { product } from "../../testing/product.ts";

type Server = ReturnType<typeof product>["server"];
type Scene = ReturnType<typeof product>["s"];

/** Replaces `gatehouse_api` in the server's metadata; undefined leaves it out. */
function serve(server: Server, s: Scene, version: unknown): void {
  server.before = async (request) => {
    if (!request.url.includes("/.well-known/oauth-authorization-server")) return undefined;
    const metadata = await (await authorizationServerMetadata(request, s.deps, s.caller)).json();
    return Response.json({ ...(metadata as object), gatehouse_api: version });
  };
}

describe("PK-25 the version of the server", () => {
  test.each([
    ["older than the first", undefined, /requires version 1 .*https:\/\/gate\.example names no version/],
    ["0", 0, /names no version/],
    ["no integer", "1", /names no version/],
    ["a fraction", 1.5, /names no version/],
  ])("%s: one error names both versions and the fix", async (_, version, found) => {
    const { server, s, core, errors, browser } = product();
    serve(server, s, version);
    const response = await browser().open("/auth/sign-in");
    expect([response.status, response.headers.getSetCookie()]).toEqual([400, []]);
    expect(errors).toEqual([
      expect.objectContaining({ code: "configuration", status: 500, message: expect.stringMatching(found) }),
    ]);
    expect(errors[0]?.message).toMatch(/Update the server .* or install the version of @gatehouse\/sdk/);
    expect(await core.read(new Request("https://shop.example/"), { canSetCookies: true })).toMatchObject({
      kind: "signed_out",
    });

    serve(server, s, 1); // the server is updated: nothing has to be restarted
    expect((await browser().open("/auth/sign-in")).status).toBe(303);
  });

  test("a newer server signs users in, and their sessions are read", async () => {
    const { server, s, core, errors, browser } = product();
    serve(server, s, 2);
    const ada = browser();
    await ada.signIn();
    expect((await core.read(ada.request("/"), { canSetCookies: true })).kind).toBe("signed_in");
    expect(errors).toEqual([]);
  });

  test("a server that becomes too old signs nobody out of a running process", async () => {
    const { server, s, core, browser } = product();
    const ada = browser();
    await ada.signIn();
    serve(server, s, undefined);
    s.clock.now += 599; // the metadata is kept for ten minutes: this read renews with it
    expect((await core.read(ada.request("/"), { canSetCookies: true })).kind).toBe("signed_in");
    s.clock.now += 599;
    expect((await core.read(ada.request("/"), { canSetCookies: false })).kind).toBe("signed_in");
  });

  test("an API whose server is too old rejects tokens with 500, not as if they were invalid", async () => {
    const api = apiOptions("https://api.example/stock");
    const token = await api.tokenOfUser("stock:read");
    serve(api.server, api.s, undefined);
    await expect(api.tokens.verifyToken(token)).rejects.toMatchObject({ code: "configuration", status: 500 });
  });
});
