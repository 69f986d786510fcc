import { expect, test } from "vitest";
import { actionWords } from "./history-words.ts";

const entry = { id: "1", at: 0, actorId: "admin", actorName: "Grace", via: "console", objectName: "Ada" } as const;

test("UM-04 a changed role is told with what it was and is", () => {
  const detail = { changes: { name: { before: "Ada", after: "Ada L." }, role: { before: "user", after: "admin" } } };
  expect(actionWords({ ...entry, action: "user.role", detail })).toBe("Changed the role from User to Admin");
  expect(actionWords({ ...entry, action: "user.role", detail: {} })).toBe("Changed the role");
  expect(actionWords({ ...entry, action: "user.update", detail })).toBe("Changed the profile");
});
