import { execFileSync } from "node:child_process";
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { metrics, takeSnapshot } from "@gatehouse/runtime/metrics";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createLog } from "./log.ts";
import { type LogDestination, openLogDestination } from "./log-destination.ts";

let folder: string;
let reader: number;
let destination: LogDestination;
let lost: number;
const onLost = (lines: number) => {
  lost += lines;
};
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "gatehouse-log-"));
  const pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
  lost = 0;
  const fd = openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK);
  destination = openLogDestination({ fd, onLost });
});
afterEach(() => rmSync(folder, { recursive: true }));

/** What is in the pipe now; undefined if nothing is. */
function read(): string | undefined {
  const bytes = Buffer.alloc(256 * 1024);
  try {
    return bytes.toString("utf8", 0, readSync(reader, bytes)) || undefined;
  } catch {
    return undefined;
  }
}

function readAll(): string {
  let text = "";
  for (let part = read(); part !== undefined; part = read()) text += part;
  return text;
}

/** Reads until `isDone`; returns what came. */
async function readUntil(isDone: (text: string) => boolean): Promise<string> {
  let text = "";
  const more = () => {
    text += readAll();
    return isDone(text);
  };
  await expect.poll(more, OFTEN).toBe(true);
  return text + readAll();
}

const OFTEN = { interval: 2, timeout: 10_000 };
const LONG = `"${"ä".repeat(5_000)}"\n`;
const droppedSoFar = async () => (await takeSnapshot())[metrics.logLinesDropped.name]?.[""]?.[0] ?? 0;

test("OP-77 a pipe that nobody reads drops and counts lines, waits for none, and says so when it is read again", async () => {
  const before = await droppedSoFar();
  const log = createLog("info", destination);
  const LINES = 400; // about 2 MB
  for (let line = 0; line < LINES; line += 1) log.info({ line, padding: LONG }, "busy");
  const dropped = (await droppedSoFar()) - before;
  expect(dropped).toBeGreaterThan(50);

  const text = await readUntil(() => lost === dropped);
  const lines = text.trimEnd().split("\n");
  expect(lines).toHaveLength(LINES - dropped);
  expect(lines.map((line) => JSON.parse(line).line)).toEqual([...lines.keys()]); // whole, in order, the first ones
  closeSync(reader);
});

test("OP-77 with `sync`, a line is in the pipe when it was logged, and a full pipe does not hold the process", async () => {
  const fd = openSync(join(folder, "pipe"), constants.O_WRONLY | constants.O_NONBLOCK);
  const log = createLog("info", openLogDestination({ fd, sync: true }));
  log.info({}, "at once");
  expect(read()).toContain("at once");
  for (let line = 0; line < 100; line += 1) log.info({ line, padding: LONG }, "busy");
  await readUntil((text) => text.split("\n").length === 101);
  closeSync(reader);
});

test("OP-77 once the reader is gone, lines are dropped and counted", async () => {
  closeSync(reader);
  const before = await droppedSoFar();
  destination.write("one\n");
  destination.flush();
  await expect.poll(droppedSoFar, OFTEN).toBe(before + 1);
  destination.write("two\n");
  expect(await droppedSoFar()).toBe(before + 2);
});

test("OP-78 lines are in the pipe when the delivery resolves, whole and between those of the log", async () => {
  destination.write(LONG);
  await destination.deliver('{"n":1}\n{"n":2}\n');
  expect(readAll().split("\n").slice(1)).toEqual(['{"n":1}', '{"n":2}', ""]);
  closeSync(reader);
});

test("OP-78 a pipe that nobody reads holds the delivery until somebody does, and drops nothing of it", async () => {
  for (let line = 0; line < 400; line += 1) destination.write(LONG);
  let isDone = false;
  const done = destination.deliver('{"last":true}\n').then(() => {
    isDone = true;
  });
  const text = await readUntil(() => isDone);
  await done;
  expect(text.trimEnd().split("\n").at(-1)).toBe('{"last":true}');
  closeSync(reader);
});

test("OP-78 once the reader is gone every delivery fails, so nothing counts as written", async () => {
  closeSync(reader);
  await expect(destination.deliver('{"n":1}\n')).rejects.toMatchObject({ code: "EPIPE" });
  await expect(destination.deliver('{"n":2}\n')).rejects.toMatchObject({ code: "EPIPE" });
});
