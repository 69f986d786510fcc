import { expect, test } from "vitest";
import { isLoopback, readPatience } from "./stop.mjs";

const PUBLIC = "https://id.example.com";

test("OP-72 a server drains for 5 s and stops within 25; on loopback nothing has to notice, so it stops at once", () => {
  expect(readPatience({}, PUBLIC)).toEqual({ drainSeconds: 5, stopSeconds: 25 });
  expect(readPatience({ GATEHOUSE_DRAIN_SECONDS: "" }, "http://localhost:3000")).toEqual({ drainSeconds: 0, stopSeconds: 25 });
  expect(readPatience({ GATEHOUSE_DRAIN_SECONDS: "10", GATEHOUSE_STOP_SECONDS: "55" }, PUBLIC)).toEqual({
    drainSeconds: 10,
    stopSeconds: 55,
  });
  expect(readPatience({ GATEHOUSE_DRAIN_SECONDS: "60" }, PUBLIC).stopSeconds).toBeGreaterThan(60);
});

test.each([
  [{ GATEHOUSE_DRAIN_SECONDS: "soon" }, /^GATEHOUSE_DRAIN_SECONDS must be a number of seconds/],
  [{ GATEHOUSE_STOP_SECONDS: "-1" }, /^GATEHOUSE_STOP_SECONDS must be a number of seconds/],
  [{ GATEHOUSE_STOP_SECONDS: "5" }, /^GATEHOUSE_STOP_SECONDS \(5\) must be greater than GATEHOUSE_DRAIN_SECONDS \(5\)/],
])("%o is refused by name", (variables, words) => {
  expect(() => readPatience(variables, PUBLIC)).toThrow(words);
});

test("loopback is this machine, by name and by address", () => {
  expect(["http://localhost:1", "http://127.0.0.2", "http://[::1]:3"].map(isLoopback)).toEqual([true, true, true]);
  expect([PUBLIC, "http://localhost.example.com", "no url"].map(isLoopback)).toEqual([false, false, false]);
});
