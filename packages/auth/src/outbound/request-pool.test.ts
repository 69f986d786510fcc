import { describe, expect, test, vi } from "vitest";
import { createRequestPool, SlowUrl } from "./request-pool.ts";
import { createTurns } from "./turns.ts";

const never = () => new AbortController().signal;
const LIMITS = { places: 4, perAsker: 2, perHost: 3, maxWaiting: 100 };

/** Takes turns and notes in which order they are granted. */
function turnsOf(limits = LIMITS) {
  const take = createTurns(limits);
  const granted: string[] = [];
  const releases = new Map<string, () => void>();
  const ask = (name: string, host = `${name}.example`, signal = never()) => {
    const [asker = ""] = name.split(" ");
    const place = take({ asker, host }, signal);
    return place.then(
      (release) => {
        granted.push(name);
        releases.set(name, release);
      },
      (error: Error) => {
        granted.push(`${name}: ${error.message}`);
      },
    );
  };
  const release = async (name: string) => {
    releases.get(name)?.();
    await settled();
  };
  return { ask, granted, release };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("those who ask take turns, DC-08 CI-10", () => {
  test("DC-08: one who asks for a hundred places delays another by one", async () => {
    const { ask, granted, release } = turnsOf({ ...LIMITS, places: 2 });
    for (let at = 0; at < 50; at++) void ask(`eve ${at}`);
    void ask("ada 0");
    await settled();
    expect(granted).toEqual(["eve 0", "eve 1"]);
    await release("eve 0");
    expect(granted).toContain("ada 0");
    await release("ada 0");
    expect(granted).toEqual(["eve 0", "eve 1", "ada 0", "eve 2"]);
  });

  test("DC-08: with one place, each is served in turn", async () => {
    const { ask, granted, release } = turnsOf({ ...LIMITS, places: 1 });
    for (const name of ["eve 0", "eve 1", "eve 2", "ada 0", "bob 0", "bob 1"]) void ask(name);
    await settled();
    for (let at = 0; at < 5; at++) await release(granted.at(-1) ?? "");
    expect(granted).toEqual(["eve 0", "eve 1", "ada 0", "bob 0", "eve 2", "bob 1"]);
  });

  test("CI-10: nobody has more than its places, no host either, and what is free goes to others", async () => {
    const { ask, granted } = turnsOf();
    for (const name of ["eve 0", "eve 1", "eve 2"]) void ask(name, "victim.example");
    void ask("mallory 0", "victim.example");
    void ask("mallory 1", "victim.example");
    void ask("mallory 2", "other.example");
    await settled();
    expect(granted).toEqual(["eve 0", "eve 1", "mallory 0", "mallory 2"]);
  });

  test("when too many wait, the one with the most loses its newest; one who gives up frees nothing twice", async () => {
    const { ask, granted, release } = turnsOf({ places: 1, perAsker: 1, perHost: 1, maxWaiting: 3 });
    const patience = new AbortController();
    void ask("first 0");
    for (const name of ["eve 0", "eve 1"]) void ask(name);
    void ask("ada 0", "ada.example", patience.signal);
    void ask("bob 0");
    await settled();
    expect(granted).toEqual(["first 0", "eve 1: too many requests wait for a place"]);
    patience.abort(new Error("gave up"));
    await release("first 0");
    await release("first 0");
    expect(granted.slice(2)).toEqual(["ada 0: gave up", "eve 0"]);
    await release("eve 0");
    expect(granted.at(-1)).toBe("bob 0");
  });

  test("of askers with one request each, those who wait stay, and the one who comes last gives way", async () => {
    const { ask, granted, release } = turnsOf({ places: 1, perAsker: 1, perHost: 1, maxWaiting: 2 });
    for (const name of ["first 0", "ada 0", "bob 0", "eve 0"]) void ask(name);
    await settled();
    expect(granted).toEqual(["first 0", "eve 0: too many requests wait for a place"]);
    await release("first 0");
    expect(granted.at(-1)).toBe("ada 0");
  });
});

describe("a pool of requests", () => {
  const lookup = async () => [];
  const pool = () =>
    createRequestPool(
      { places: 2, perAsker: 2, perHost: 2, maxWaiting: 10, waitMs: 60_000, patience: { offMs: 30_000, seconds: 3 } },
      () => lookup,
    );
  const url = (name: string) => new URL(`https://${name}.example/logout`);

  test("a URL that answered last time does not wait for those that never did", async () => {
    const { enter } = pool();
    (await enter(url("shop"), "shop")).leave("answered");
    const held = await Promise.all([enter(url("eve-0"), "eve-0"), enter(url("eve-1"), "eve-1")]);
    const behind = enter(url("new"), "new");
    const shop = await enter(url("shop"), "shop");
    shop.leave("failed");
    let entered = false;
    const now = enter(url("shop"), "shop").then(() => (entered = true));
    await settled();
    expect(entered).toBe(false); // it failed, so it waits with the others
    for (const place of held) place.leave("failed");
    (await behind).leave("answered");
    await now;
  });

  test("a URL that let a request time out is not asked again for a while, nor are those that wait for it", async () => {
    const { enter } = pool();
    const probes = await Promise.all([enter(url("eve"), "eve"), enter(url("eve"), "eve")]);
    const waiting = Promise.allSettled(Array.from({ length: 5 }, () => enter(url("eve"), "eve")));
    probes[0]?.leave("timed_out");
    expect((await waiting).map((one) => one.status === "rejected" && one.reason instanceof SlowUrl)).toEqual(
      Array(5).fill(true),
    );
    await expect(enter(url("eve"), "eve")).rejects.toThrow(SlowUrl);
    (await enter(url("eve"), "mallory")).leave("answered"); // only for the one who asked
    (await enter(url("other"), "other")).leave("answered");
    probes[1]?.leave("timed_out");
  });

  test("a URL whose answers take too much time together is put off too; many fast ones are not", async () => {
    vi.useFakeTimers();
    try {
      const { enter } = pool();
      for (let at = 0; at < 100; at++) (await enter(url("shop"), "shop")).leave("answered");
      const slow = await Promise.all([enter(url("eve"), "eve"), enter(url("eve"), "eve")]);
      await vi.advanceTimersByTimeAsync(2500);
      for (const place of slow) place.leave("answered");
      await expect(enter(url("eve"), "eve")).rejects.toThrow(SlowUrl);
      (await enter(url("shop"), "shop")).leave("answered");
      await vi.advanceTimersByTimeAsync(30_000);
      (await enter(url("eve"), "eve")).leave("answered");
    } finally {
      vi.useRealTimers();
    }
  });
});
