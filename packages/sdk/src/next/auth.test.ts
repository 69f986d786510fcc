import { expect, test } from "vitest";
import { gatehouse } from "./index.ts";

test("PK-45 where there is no request to read, such as in a cached function, one error shows the fix", async () => {
  const { auth, getAccessToken } = gatehouse();
  for (const read of [auth(), auth.protect(), getAccessToken()])
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
