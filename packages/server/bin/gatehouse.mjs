#!/usr/bin/env node
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major > 20 || (major === 20 && minor >= 9)) {
  await import("../dist/gatehouse.mjs");
} else {
  console.error(`Node ${process.versions.node} is too old: Gatehouse needs 20.9 or newer.`);
  process.exitCode = 78; // EX_CONFIG of sysexits.h
}
