import type { ActiveSession } from "@gatehouse/auth";
import { expect, test } from "vitest";
import { consoleLink } from "./console-link.ts";

const URL = "https://console.example";
const user = { id: "ada", email: "ada@example.com", name: "Ada" } as ActiveSession["user"];

test("CO-49 the start page has the console's address only for sessions with a role of the console", () => {
  const seenBy = (role: ActiveSession["user"]["role"]) => consoleLink({ user: { ...user, role } }, URL);
  expect([consoleLink(undefined, URL), seenBy("user")]).toEqual([undefined, undefined]);
  expect([seenBy("viewer"), seenBy("developer"), seenBy("admin")]).toEqual([URL, URL, URL]);
});
