import { execFileSync } from "node:child_process";
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pino from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createLineWriter } from "./lines.ts";

let folder: string;
let reader: number;
let log: pino.Logger;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "gatehouse-lines-"));
  const pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
  const destination = pino.destination({ dest: openSync(pipe, "w"), sync: false, minLength: 8 * 1024 });
  log = pino({ level: "error", base: null }, destination);
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

test("OP-78 lines are in the pipe when the write resolves, whole and between those of the log, whatever its level", async () => {
  const write = createLineWriter(log);
  log.error("x".repeat(10_000));
  await write('{"n":1}\n{"n":2}\n');
  expect(readAll().split("\n").slice(1)).toEqual(['{"n":1}', '{"n":2}', ""]);
  closeSync(reader);
});

test("OP-78 a pipe that nobody reads holds the write until somebody does", async () => {
  const write = createLineWriter(log);
  for (let line = 0; line < 30; line += 1) log.error("x".repeat(10_000));
  let isDone = false;
  const done = write('{"last":true}\n').then(() => {
    isDone = true;
  });
  let text = "";
  await expect
    .poll(() => {
      text += readAll();
      return isDone;
    })
    .toBe(true);
  await done;
  text += readAll();
  const lines = text.trimEnd().split("\n");
  expect(lines).toHaveLength(31);
  for (const line of lines) JSON.parse(line);
  expect(lines.at(-1)).toBe('{"last":true}');
  closeSync(reader);
});

test("OP-78 once the reader is gone every write fails, so nothing counts as written", async () => {
  const write = createLineWriter(log);
  closeSync(reader);
  await expect(write('{"n":1}\n')).rejects.toMatchObject({ code: "EPIPE" });
  await expect(write('{"n":2}\n')).rejects.toMatchObject({ code: "EPIPE" });
});
