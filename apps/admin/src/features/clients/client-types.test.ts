import { describe, expect, test } from "vitest";
import type { Scope } from "@/trpc/types.ts";
import { defaultSettings, offeredScopes } from "./client-types.ts";

const ALL: Scope[] = [
  { name: "openid", description: "confirm who you are", kind: "identity" },
  { name: "phone", description: "see your phone number", kind: "identity" },
  { name: "notes:read", description: "read your notes", kind: "api" },
  { name: "console:read", description: "view the console", kind: "console" },
];

describe("the scopes in a client's form", () => {
  const offered = (type: "web" | "service", changes: { firstParty?: boolean; scopes?: string[] } = {}) =>
    offeredScopes(ALL, type, { ...defaultSettings(type), scopes: [], ...changes });

  test("are those of the installation", () => {
    expect(offered("web")).toEqual(["openid", "notes:read"]);
  });

  test("include the console's only for first-party clients", () => {
    expect(offered("web", { firstParty: true })).toEqual(["openid", "notes:read", "console:read"]);
  });

  test("identify no user for a service", () => {
    expect(offered("service")).toEqual(["notes:read"]);
  });

  test("include every scope that the client has", () => {
    expect(offered("service", { scopes: ["phone", "stock:read"] })).toEqual(["notes:read", "phone", "stock:read"]);
  });
});
