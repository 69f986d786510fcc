import { expect, test } from "vitest";
import { readPatience } from "./stop.mjs";

const PUBLIC = { onLoopback: false };

test("OP-72 a server drains for 5 s and stops within 25; on loopback, without a load balancer, it stops at once", () => {
  expect(readPatience({}, PUBLIC)).toEqual({ drainSeconds: 5, stopSeconds: 25 });
  expect(readPatience({ GATEHOUSE_DRAIN_SECONDS: "" }, { onLoopback: true })).toEqual({
    drainSeconds: 0,
    stopSeconds: 25,
  });
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
