import { SCOPES } from "@gatehouse/auth";
import { engines } from "@gatehouse/db/testing/engines";
import { expect, test } from "vitest";
import { appRouter } from "../root.ts";
import { openInstallationOf } from "../testing/callers.ts";
import { createCallerFactory } from "../trpc.ts";

test.each(engines)("scopes.list has the scopes of Gatehouse and of the product, on $name", async (engine) => {
  const product = { "notes:read": { description: "read your notes", kind: "api" } } as const;
  const it = await openInstallationOf(engine, createCallerFactory(appRouter), { ...SCOPES, ...product });
  const scopes = await it.as("viewer").scopes.list();
  expect(scopes.map(({ name }) => name)).toEqual([...Object.keys(SCOPES), "notes:read"]);
  expect(scopes.at(-1)).toEqual({ name: "notes:read", description: "read your notes", kind: "api" });
  await it.close();
});
