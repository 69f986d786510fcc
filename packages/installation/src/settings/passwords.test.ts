import { availableParallelism } from "node:os";
import { expect, test } from "vitest";
import { z } from "zod";
import { passwordSettings, passwordVariables } from "./passwords.ts";

const read = (variables: Record<string, string>, { mfaRequired = false, workers = 1 } = {}) =>
  passwordSettings(z.object(passwordVariables).parse(variables), { mfaRequired, workers, root: import.meta.dirname });

test("PW-01 a minimum below 15 characters needs a second factor for everybody", () => {
  expect(read({}).leastCharacters).toBe(15);
  expect(read({ GATEHOUSE_PASSWORD_MIN_LENGTH: "20" }).leastCharacters).toBe(20);
  expect(read({ GATEHOUSE_PASSWORD_MIN_LENGTH: "8" }, { mfaRequired: true }).leastCharacters).toBe(8);
  expect(() => read({ GATEHOUSE_PASSWORD_MIN_LENGTH: "14" })).toThrow(
    /GATEHOUSE_PASSWORD_MIN_LENGTH.*GATEHOUSE_MFA=required/,
  );
  expect(() => read({ GATEHOUSE_PASSWORD_MIN_LENGTH: "7" }, { mfaRequired: true })).toThrow();
});

test("OP-32 PW-06 OP-89 all processes together hash on as many threads as there are cores, and none on more", () => {
  const cores = availableParallelism();
  expect(read({}).hashConcurrency).toBe(cores);
  expect(read({}, { workers: cores }).hashConcurrency).toBe(1);
  expect(read({}, { workers: 2 * cores }).hashConcurrency).toBe(1);
  expect(read({ GATEHOUSE_HASH_CONCURRENCY: "1" }).hashConcurrency).toBe(1);
  expect(read({ GATEHOUSE_HASH_CONCURRENCY: "256" }, { workers: 2 }).hashConcurrency).toBe(cores);
});

test("PW-04 passwords of breaches are looked up nowhere unless a service or a file is named", () => {
  const source = (value: string) => read({ GATEHOUSE_BREACH_CHECK: value }).breaches;
  expect(read({}).breaches).toEqual({ kind: "off" });
  expect(source("range")).toEqual({ kind: "range", url: "https://api.pwnedpasswords.com/range/" });
  expect(source("range:https://breaches.example/range/")).toEqual({
    kind: "range",
    url: "https://breaches.example/range/",
  });
  expect(source("file:passwords.ts")).toEqual({ kind: "file", path: `${import.meta.dirname}/passwords.ts` });
  expect(() => source("file:missing.txt")).toThrow(/GATEHOUSE_BREACH_CHECK.*missing\.txt/);
  for (const wrong of [
    "on",
    "file:",
    "range:breaches.example",
    "range:https://breaches.example/range",
    "range:https://x/?q=/",
  ])
    expect(() => source(wrong)).toThrow("must be off, range");
});
