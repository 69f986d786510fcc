import { createUser, signIn, startGatehouse } from "@gatehouse/sdk/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startKitProduct } from "../harness/kit-product.ts";

describe("PK-59 the testing kit, on the built server", () => {
  let product: Awaited<ReturnType<typeof startKitProduct>>;
  beforeAll(async () => {
    product = await startKitProduct();
  }, 60_000);
  afterAll(() => product?.stop());

  const me = async (headers: Headers) => (await fetch(`${product.url}/me`, { headers })).json();

  test("starts a server with a configuration, and says what it made", () => {
    expect(product.applied).toMatchObject({ applications: [{ name: "Kit", status: "created" }] });
  });

  test("signs users up and in over the real forms, with consent", async () => {
    const [ada, other] = await Promise.all([createUser(product, { name: "Ada" }), createUser(product)]);
    const headers = await signIn(product, ada, { as: "headers" });
    expect(await me(headers)).toMatchObject({ user: { name: "Ada", email: ada.email } });
    const again = await signIn(product, other, { as: "headers" });
    expect(await me(again)).toMatchObject({ user: { email: other.email } });
  });

  test("returns what Playwright's storageState takes: the cookies of product and server, with their flags", async () => {
    const { cookies, origins } = await signIn(product, await createUser(product));
    expect(origins).toEqual([]);
    const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
    expect(await me(new Headers({ cookie }))).toMatchObject({ user: { name: "Test user" } });
    for (const one of cookies)
      expect(one).toMatchObject({ domain: "localhost", path: expect.stringMatching(/^\//), secure: false });
    expect(cookies.some(({ httpOnly, sameSite }) => httpOnly && sameSite === "Lax")).toBe(true);
  });

  test("an error has what the page says", async () => {
    const user = await createUser(product);
    await expect(signIn(product, { ...user, password: "wrong password" })).rejects.toMatchObject({
      code: "server_error",
      message: expect.stringMatching(/The sign-in ended at .*\/sign-in \(4\d\d\): /),
    });
    await expect(createUser(product, { email: user.email, password: "short" })).rejects.toMatchObject({
      code: "server_error",
      message: expect.stringMatching(/refused the sign-up: /),
    });
  });

  test("a configuration that the server refuses is an error with its words, and leaves nothing running", async () => {
    const { pathname: command } = new URL("../harness/server-program.mjs", import.meta.url);
    await expect(startGatehouse({ command, configuration: { applikations: [] } })).rejects.toMatchObject({
      code: "configuration",
      message: expect.stringMatching(/applikations/),
    });
  });
});
