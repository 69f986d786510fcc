import { engines } from "@gatehouse/db/testing/engines";
import { describe, test } from "vitest";
import { expectToFailAlone, MISBEHAVIOURS } from "../testing/misbehaving-process.ts";

describe.each(engines)("handlers in a process of their own, on $name", (engine) => {
  test("OP-23 whatever a handler does to its process, it has failed once, and the runs beside it do not count", async () => {
    await expectToFailAlone(engine, MISBEHAVIOURS);
  }, 300_000);
});
