import { expect, test } from "vitest";
import { describeError } from "./log.ts";

test("SE-20 SE-21 the values of a failed query are not logged, not even in causes", () => {
  const query = (message: string) => new Error(`Failed query: insert into "users" values ($1)\nparams: ${message}`);
  const error = new Error("request failed", { cause: query("ada@example.com,\n$argon2id$v=19") });
  const logged = JSON.stringify([describeError(error), describeError(query("ada@example.com"))]);
  expect(logged).not.toMatch(/ada@example|argon2id/);
  expect(logged).toContain("Failed query: insert into");
  expect(logged).toContain("log.test.ts");
});
