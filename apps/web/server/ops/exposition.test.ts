import { metrics, widthOf } from "@gatehouse/runtime/metrics";
import { expect, test } from "vitest";
import { expose } from "./exposition.ts";

test("OP-73: a scrape has Prometheus' text format: cumulative buckets, escaped labels", async () => {
  const hashes = Array.from({ length: widthOf(metrics.passwordHash) }, () => 0);
  const { contentType, text } = await expose({
    gatehouse_shed_total: { 'a "reason"': [2] },
    gatehouse_password_hash_seconds: { "": hashes.with(3, 1).with(5, 1).with(-1, 0.23) },
  });
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
