import { createReadStream } from "node:fs";
import type { Readable } from "node:stream";
import { CsvError, parse } from "csv-parse";
import { pathFromCaller } from "../env.ts";
import { InputError } from "../input.ts";

/** One user of a file, with the line that it begins on. `problem`: the line cannot be read. */
export type UserLine = { line: number; value: unknown } | { line: number; problem: string };

/** The most characters of one user. */
const MOST_CHARACTERS = 64 * 1024;

/** Columns of a CSV file that are not text. */
const BOOLEANS = new Set(["email_verified", "disabled"]);

/**
 * Reads users one after the other from a file, or from standard input for `-`: a `.csv` file with a header line, or
 * JSON Lines. Throws {@link InputError} for a file that cannot be read.
 */
export async function* readUsers(file: string, format: "csv" | "jsonl"): AsyncGenerator<UserLine> {
  const path = pathFromCaller(file);
  const input = file === "-" ? process.stdin : createReadStream(path);
  try {
    yield* format === "csv" ? readCsv(input) : readJsonLines(input);
  } catch (cause) {
    if (cause instanceof CsvError)
      throw new InputError([{ path: "", message: `cannot read the CSV: ${cause.message}` }]);
    if (!(cause instanceof Error) || !("code" in cause)) throw cause;
    throw new InputError([{ path: "", message: `cannot read ${path} (${cause.code})` }]);
  }
}

async function* readJsonLines(input: Readable): AsyncGenerator<UserLine> {
  let line = 0;
  for await (const text of linesOf(input)) {
    line += 1;
    if (text === undefined) yield { line, problem: `is longer than ${MOST_CHARACTERS} characters` };
    else if (text.trim() !== "") yield parseLine(line, line === 1 ? text.replace(/^\uFEFF/, "") : text);
  }
}

function parseLine(line: number, text: string): UserLine {
  try {
    return { line, value: JSON.parse(text) };
  } catch {
    return { line, problem: "is not JSON" };
  }
}

/** The lines of a stream; undefined for one that is too long, whose rest is dropped as it arrives. */
async function* linesOf(input: Readable): AsyncGenerator<string | undefined> {
  let rest = "";
  let tooLong = false;
  for await (const chunk of input.setEncoding("utf8")) {
    const parts = `${rest}${chunk}`.split("\n");
    rest = parts.pop() ?? "";
    for (const part of parts) {
      yield tooLong || part.length > MOST_CHARACTERS ? undefined : part;
      tooLong = false;
    }
    if (rest.length > MOST_CHARACTERS) [rest, tooLong] = ["", true];
  }
  if (tooLong) yield undefined;
  else if (rest !== "") yield rest;
}

async function* readCsv(input: Readable): AsyncGenerator<UserLine> {
  const records = input.pipe(
    parse({
      columns: true,
      bom: true,
      trim: true,
      info: true,
      skip_empty_lines: true,
      max_record_size: MOST_CHARACTERS,
    }),
  );
  input.on("error", (error) => records.destroy(error));
  for await (const { record, info } of records) yield { line: info.lines, value: fromCsv(record) };
}

/** Empty cells are left out; the columns of {@link BOOLEANS} are `true` or `false`; a Keycloak credential is JSON. */
function fromCsv(record: Record<string, string>): Record<string, unknown> {
  const cells = Object.entries(record).filter(([, text]) => text !== "");
  return Object.fromEntries(
    cells.map(([column, text]) => {
      if (BOOLEANS.has(column) && /^(true|false)$/i.test(text)) return [column, text.toLowerCase() === "true"];
      if (column === "created_at" && /^\d+$/.test(text)) return [column, Number(text)];
      return [column, column === "password_hash" && text.startsWith("{") ? parseCell(text) : text];
    }),
  );
}

function parseCell(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
