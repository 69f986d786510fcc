import { expect, test } from "vitest";
import { levelsFrom } from "./steps/install.mjs";
import { showProgress, tableOf } from "./steps/progress.mjs";

/** A progress whose clock and output are the test's. */
function scene(terminal: { isTTY?: boolean; columns?: number } = {}) {
  const written: string[] = [];
  let time = 0;
  const progress = showProgress({ out: { ...terminal, write: (text) => written.push(text) }, now: () => time * 1000 });
  const taking = (seconds: number) => async () => {
    await Promise.resolve(); // steps that begin at the same time share a line
    time += seconds;
  };
  return { progress, written, taking };
}

test("progress is a line of what is done, what runs and what is left", async () => {
  const { progress, written, taking } = scene();
  progress.plan("install", "build server", "start");
  await progress.during("install", taking(4));
  await progress.during("build server", taking(20));
  progress.close();
  expect(written).toEqual([
    "› … install 0 s · build server · start\n",
    "› ✓ install 4 s · build server · start\n",
    "› ✓ install 4 s · … build server 0 s · start\n",
    "› ✓ install 4 s · ✓ build server 20 s · start\n",
  ]);
});

test("on a terminal the line is rewritten in place, and fits", async () => {
  const { progress, written, taking } = scene({ isTTY: true, columns: 20 });
  progress.plan("install", "build server", "start");
  await progress.during("install", taking(4));
  progress.close();
  expect(written).toEqual(["\r\x1b[2K› … install 0 s · b", "\r\x1b[2K› ✓ install 4 s · b", "\n"]);
});

test("a plan of which nothing runs prints nothing", () => {
  const { progress, written } = scene();
  progress.plan("start");
  progress.close();
  expect(written).toEqual([]);
});

test("a step that fails is marked, and its error reaches the caller", async () => {
  const { progress, written } = scene();
  const failing = progress.during("install", () => Promise.reject(new Error("no registry")));
  await expect(failing).rejects.toThrow("no registry");
  expect(written.at(-1)).toBe("› ✖ install 0 s\n");
});

test("the times are a table of steps, their parts and the total", async () => {
  const { progress, taking } = scene();
  progress.plan("install", "build server", "start");
  await progress.during("build server", async () => {
    await taking(12)();
    progress.note("build server: bundle", 2);
  });
  expect(tableOf(progress.times(), 15)).toBe(
    ["  build server    12.0 s", "    bundle         2.0 s", "  total           15.0 s"].join("\n"),
  );
});

test("everything installed is enough for each command, and what the apps need is not enough for the tests", () => {
  expect(levelsFrom("run")).toEqual(["run", "examples", "all"]);
  expect(levelsFrom("examples")).toEqual(["examples", "all"]);
  expect(levelsFrom("all")).toEqual(["all"]);
});
