import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { argon2Hash } from "./argon2.ts";
import { onHashThread } from "./hash-threads.ts";

/** The nice values of the threads of this process. Linux. */
function niceValues(): number[] {
  return readdirSync("/proc/self/task").flatMap((id) => {
    const stat = readFileSync(`/proc/self/task/${id}/stat`, "utf8");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[16]);
  });
}

describe("OP-89 passwords are hashed on threads of their own", () => {
  test.runIf(process.platform === "linux")(
    "with a lower priority than the event loop, which keeps its own",
    async () => {
      await argon2Hash("a password of many words");
      const own = Number(readFileSync("/proc/self/stat", "utf8").split(") ")[1]?.split(" ")[16]);
      expect(niceValues()).toContain(Math.min(19, own + 10));
      expect(niceValues().filter((nice) => nice === own).length).toBeGreaterThan(1);
    },
  );

  test("PW-06 more calls than threads all get their own results, and a failure is that of its call", async () => {
    const salts = Array.from({ length: 12 }, (_, at) => Buffer.alloc(16, at));
    const derived = await Promise.all(
      salts.map((salt) => onHashThread<Uint8Array>("node:crypto", "pbkdf2Sync", "a", salt, 1, 16, "sha256")),
    );
    expect(new Set(derived.map((key) => Buffer.from(key).toString("hex"))).size).toBe(12);
    await expect(onHashThread("node:crypto", "pbkdf2Sync", "a", "b", 1, 16, "no digest")).rejects.toThrow("no digest");
    await expect(argon2Hash("again")).resolves.toMatch(/^\$argon2id\$/);
  });
});
