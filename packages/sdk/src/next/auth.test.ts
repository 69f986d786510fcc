import { expect, expectTypeOf, test } from "vitest";
import { gatehouse, type RequestAuth, type Session, type TokenAuth } from "./index.ts";

test("PK-45 where there is no request to read, such as in a cached function, one error shows the fix", async () => {
  const { auth, getAccessToken, signInPath } = gatehouse();
  for (const read of [auth(), auth.protect(), getAccessToken(), signInPath()])
    await expect(read).rejects.toMatchObject({
      code: "configuration",
      message: expect.stringMatching(/"use cache".*pass what the cached function needs as an argument/),
    });
});

test("PK-12 PK-13 nothing is read before the first request, so that a build needs no variables", () => {
  const { auth, handlers, proxy } = gatehouse();
  expect(Object.keys(handlers)).toEqual(["GET", "POST"]);
  expect(auth.protect({ scope: "a" }, () => new Response())).toBeTypeOf("function");
  expect(proxy({ public: ["/"] })).toBeTypeOf("function");
});

test("PK-38 what a handler accepts decides what it is called with, and a page accepts sessions alone", async () => {
  const { auth } = gatehouse();
  const answer = () => new Response();
  auth.protect({ accept: "bearer" }, (_request, caller) => {
    expectTypeOf(caller.auth).toEqualTypeOf<TokenAuth>();
    return answer();
  });
  auth.protect({ accept: "any", environments: ["staging"] }, (_request, caller) => {
    expectTypeOf(caller.auth).toEqualTypeOf<RequestAuth>();
    return answer();
  });
  auth.protect({ accept: "session" }, (_request, caller) => {
    expectTypeOf(caller.session).toEqualTypeOf<Session>();
    return answer();
  });
  // @ts-expect-error: a page has no request to check the proof of a token with
  await expect(auth.protect({ accept: "any" })).rejects.toMatchObject({ code: "configuration" });
});

test("PK-51 the handlers answer the metadata of the API", async () => {
  const { handlers } = gatehouse({
    issuer: "https://gate.example",
    clientId: "shop",
    clientSecret: "x".repeat(32),
    appUrl: "https://shop.example",
    resource: "https://shop.example/api",
  });
  const request = new Request("https://shop.example/.well-known/oauth-protected-resource/api");
  expect(await (await handlers.GET(request)).json()).toMatchObject({ resource: "https://shop.example/api" });
});
