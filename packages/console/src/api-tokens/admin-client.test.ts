import { readFileSync } from "node:fs";
import { join } from "node:path";
import { engines } from "@gatehouse/db/testing/engines";
import { createAdmin, type Procedures } from "@gatehouse/sdk/admin";
import type { inferRouterInputs, inferRouterOutputs } from "@trpc/server";
import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from "vitest";
import { createTrpcHandler } from "../handler.ts";
import { type AppRouter, appRouter } from "../root.ts";
import { type Installation, ISSUER, openInstallation, seedApplication } from "../testing/callers.ts";
import { PROCEDURES } from "../testing/procedures.ts";

type In = inferRouterInputs<AppRouter>;
type Out = inferRouterOutputs<AppRouter>;
type OfRouter<All, Path> = Path extends `${infer Noun}.${infer Verb}`
  ? Noun extends keyof All
    ? Verb extends keyof All[Noun]
      ? All[Noun][Verb]
      : never
    : never
  : never;
/** The procedures whose answer the client's types do not describe, or whose input the server would not take. */
type Wrong = {
  [Path in keyof Procedures]: [OfRouter<Out, Path>] extends [Procedures[Path]["output"]]
    ? [Procedures[Path]["input"]] extends [OfRouter<In, Path> | undefined]
      ? never
      : Path
    : Path;
}[keyof Procedures];

const sqlite = engines.filter(({ name }) => name === "sqlite");

describe.each(sqlite)("PK-58 createAdmin of the SDK, against the procedures", (engine) => {
  let it: Installation;
  beforeAll(async () => {
    it = await openInstallation(engine);
    await seedApplication(it.deps);
  });
  afterAll(() => it.close());

  async function admin(scopes: string[]) {
    const { token } = await it.as("admin").apiTokens.create({ name: "CI", scopes: scopes as never });
    const trpc = createTrpcHandler(appRouter);
    const send: typeof fetch = (url, init) => trpc(new Request(url as URL, init), it.deps, { address: "192.0.2.1" });
    return createAdmin({ issuer: ISSUER, token, fetch: send });
  }

  test("its types are those of the router", () => {
    expectTypeOf<Wrong>().toBeNever();
  });

  test("the page about API tokens lists the same procedures", () => {
    const page = readFileSync(join(import.meta.dirname, "../../../../docs/api-tokens.md"), "utf8");
    const table = page.split("## What a token can do")[1]?.split("\n## ")[0] ?? "";
    const rows = table.split("\n").filter((line) => /^\| `[a-z]+:[a-z]+` \|/.test(line));
    const listed = rows.flatMap((row) => [...row.matchAll(/`([a-z]\w+\.\w+)`/gi)].map(([, path]) => path));
    const open = PROCEDURES.filter(({ requirements }) => requirements.apiToken !== undefined).map(({ path }) => path);
    expect(listed.sort()).toEqual(open.sort());
  });

  test("reads, plans and applies", async () => {
    const { applications, configuration, audit } = await admin([
      "clients:read",
      "config:plan",
      "config:apply",
      "audit:read",
    ]);
    expect((await applications.list({})).items.map(({ name }) => name)).toContain("Shop");
    const file = JSON.stringify({ webhooks: [{ provider: "stripe", enabled: false }] });
    const { changesId } = await configuration.plan({ file });
    expect(await configuration.applyFile({ file, planId: changesId })).toMatchObject({ changed: true });
    expect((await audit.list({ limit: 1 })).items).toHaveLength(1);
  });

  test("an error names the code, the fields and the request", async () => {
    const { audit, applications } = await admin(["audit:read"]);
    await expect(applications.list({})).rejects.toMatchObject({ code: "FORBIDDEN", status: 403 });
    await expect(audit.list({ limit: 0 })).rejects.toMatchObject({
      code: "BAD_REQUEST",
      problems: [{ path: "limit" }],
    });
  });
});
