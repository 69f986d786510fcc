import { metrics, takeSnapshot } from "@gatehouse/runtime/metrics";
import { expect, test } from "vitest";
import { expose } from "./exposition.ts";

test("OP-73: a scrape has Prometheus' text format: cumulative buckets, escaped labels", async () => {
  metrics.shed.series('a "reason"').add(2);
  metrics.passwordHash.series().observe(0.03);
  metrics.passwordHash.series().observe(0.2);
  const { contentType, text } = await expose(await takeSnapshot());
  expect(contentType).toBe("text/plain; version=0.0.4; charset=utf-8");
  const lines = text.split("\n");
  expect(lines).toContain('gatehouse_shed_total{reason="a \\"reason\\""} 2');
  expect(lines).toContain("# TYPE gatehouse_password_hash_seconds histogram");
  expect(lines).toContain('gatehouse_password_hash_seconds_bucket{le="0.025"} 0');
  expect(lines).toContain('gatehouse_password_hash_seconds_bucket{le="0.05"} 1');
  expect(lines).toContain('gatehouse_password_hash_seconds_bucket{le="+Inf"} 2');
  expect(lines).toContain("gatehouse_password_hash_seconds_count 2");
  expect(lines).toContain("gatehouse_password_hash_seconds_sum 0.23");
});
