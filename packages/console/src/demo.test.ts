import { engines } from "@gatehouse/db/testing/engines";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ADMIN, type Installation, openInstallation } from "./testing/callers.ts";
import { PROCEDURES } from "./testing/procedures.ts";

type Call = (input?: unknown) => Promise<unknown>;
const [engine] = engines;

describe("a demo", () => {
  let installation: Installation;
  beforeAll(async () => {
    if (!engine) throw new Error("there is no engine");
    installation = await openInstallation(engine);
    installation.deps.demo = true;
  });
  afterAll(() => installation.close());

  const call = (path: string, role: "admin" | "user" = "admin") => {
    const [noun = "", verb = ""] = path.split(".");
    return (installation.as(role) as unknown as Record<string, Record<string, Call>>)[noun]?.[verb];
  };

  test.each(PROCEDURES.filter(({ type }) => type === "mutation"))("refuses $path to an admin", async ({ path }) => {
    await expect(call(path)?.()).rejects.toMatchObject({
      code: "FORBIDDEN",
      message: expect.stringContaining("This is a demo"),
    });
  });

  test("shows an admin everything, and says that it is one", async () => {
    expect(await call("me.get")?.()).toMatchObject({ user: { role: "admin" }, demo: true });
    expect(await call("users.list")?.({})).toMatchObject({ items: expect.anything() });
    expect(ADMIN.role).toBe("admin");
  });
});
