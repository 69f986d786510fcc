import { expect, test } from "vitest";
import { GatehouseError } from "./error.ts";

test("PK-60 an error has the status of its code, and the server's error id", () => {
  const error = new GatehouseError("unavailable", "the server does not answer", { retryAfterSeconds: 5 });
  expect([error.status, error.retryAfterSeconds, error.errorId]).toEqual([503, 5, undefined]);
  expect(new GatehouseError("server_error", "refused", { errorId: "gte_1" })).toMatchObject({
    status: 502,
    errorId: "gte_1",
  });
});
