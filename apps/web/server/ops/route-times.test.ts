import { takeSnapshot } from "@gatehouse/runtime/metrics";
import { describe, expect, test } from "vitest";
import { HANDLER_PATHS } from "../routing/policy-table.ts";
import { timesOf } from "./route-times.ts";

const counted = async () =>
  Object.entries((await takeSnapshot())["http_server_request_duration_seconds"] ?? {}).map(
    ([key, numbers]) => [key.split("\0"), numbers.slice(0, -1).reduce((sum, one) => sum + one, 0)] as const,
  );

/** What the server answers with. */
const STATUSES = [200, 201, 204, 303, 304, 400, 401, 403, 404, 405, 409, 413, 415, 429, 500, 503];

describe("durations of requests", () => {
  test("OP-75: a stranger who calls every route in every way leaves their places to those with an objective", async () => {
    const routes = HANDLER_PATHS.map(timesOf); // as at the start
    for (const times of routes.toReversed()) {
      for (const method of ["GET", "POST", "BREW"]) for (const status of STATUSES) times.ended(method, status, 0);
    }
    for (const status of [200, 400, 401, 503]) timesOf("/token").ended("POST", status, 0);
    const series = await counted();
    expect(series.length).toBeLessThanOrEqual(72 + 16 + 1);
    expect(series.find(([labels]) => labels.join(" ") === "/token POST 200")?.[1]).toBeGreaterThan(0);
    expect(series.find(([labels]) => labels.join(" ") === "* _OTHER 200")?.[1]).toBeGreaterThan(0);
  });

  test("a method that is none has OpenTelemetry's name for it", async () => {
    timesOf("*").ended("X".repeat(1_000), 405, 0);
    expect((await counted()).flatMap(([[, method]]) => method).filter((method) => method?.includes("X"))).toEqual([]);
  });
});
