import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createOutbound } from "@gatehouse/auth";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type BreachSource, createBreachCheck } from "./breach-check.ts";

const { fetchBytes } = createOutbound({ allowLoopback: true });
const sha1 = (password: string) => createHash("sha1").update(password).digest("hex").toUpperCase();

let errors: unknown[] = [];
afterEach(() => {
  errors = [];
});
const check = (source: BreachSource, password: string) =>
  createBreachCheck(source, { fetchBytes, onError: (error) => errors.push(error) })(password);

test("PW-04 off asks nobody", async () => {
  expect(await check({ kind: "off" }, "password")).toBe(false);
});

describe("PW-04 range", () => {
  let server: Server;
  let url: string;
  let asked: IncomingMessage[];
  let answer: (response: ServerResponse) => void;
  beforeAll(async () => {
    server = createServer((request, response) => {
      asked.push(request);
      answer(response);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/range/`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const line = (password: string, count: number) => `${sha1(password).slice(5)}:${count}`;
  const ask = (password: string, respond: typeof answer) => {
    [asked, answer] = [[], respond];
    return check({ kind: "range", url }, password);
  };

  test("sends five digits of the hash, asks for padding, and finds the rest in the answer", async () => {
    const lines = [line("another", 9), line("leaked password", 3)].join("\r\n");
    expect(await ask("leaked password", (response) => response.end(lines))).toBe(true);
    expect(asked.map(({ url: path, headers }) => [path, headers["add-padding"]])).toEqual([
      [`/range/${sha1("leaked password").slice(0, 5)}`, "true"],
    ]);
    expect(await ask("unknown password", (response) => response.end(lines))).toBe(false);
    expect(errors).toEqual([]);
  });

  test("a line of padding, with the count 0, is no hit", async () => {
    expect(await ask("leaked password", (response) => response.end(line("leaked password", 0)))).toBe(false);
  });

  test("both spellings of a password are the same", async () => {
    const [nfc, nfd] = ["crème brûlée".normalize("NFC"), "crème brûlée".normalize("NFD")];
    expect(await ask(nfd, (response) => response.end(line(nfc, 1)))).toBe(true);
  });

  test.each<[string, (response: ServerResponse) => void]>([
    ["an error", (response) => response.writeHead(503).end("later")],
    ["a redirect", (response) => response.writeHead(302, { location: "https://example.com" }).end()],
    ["a broken connection", (response) => response.destroy()],
    ["silence", () => {}],
    ["too much", (response) => response.end("x".repeat(1024 * 1024))],
  ])("%s lets people in, and is reported without the password or its hash", async (_, respond) => {
    expect(await ask("leaked password", respond)).toBe(false);
    expect(errors).toHaveLength(1);
    expect(String(errors[0])).not.toMatch(new RegExp(`leaked password|${sha1("leaked password").slice(5)}`, "i"));
  });
});

describe("PW-04 file", () => {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-breaches-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const passwords = Array.from({ length: 500 }, (_, at) => `leaked ${at}`);
  const hashes = passwords.map(sha1).sort();
  const fileOf = (content: string) => {
    const path = join(folder, "hashes.txt");
    writeFileSync(path, content);
    return { kind: "file", path } as const;
  };

  test.each<[string, string]>([
    ["hashes with counts", hashes.map((hash, at) => `${hash}:${at ** 3}\n`).join("")],
    ["hashes alone", hashes.map((hash) => `${hash}\n`).join("")],
    ["lower case and CRLF", hashes.map((hash) => `${hash.toLowerCase()}:1\r\n`).join("")],
    ["no line break at the end", hashes.join("\n")],
  ])("finds each of 500 in a file with %s, and no other", async (_, content) => {
    const source = fileOf(content);
    expect(await Promise.all(passwords.map((password) => check(source, password)))).toEqual(passwords.map(() => true));
    expect(await Promise.all(passwords.map((password) => check(source, `un${password}`)))).toEqual(
      passwords.map(() => false),
    );
    expect(errors).toEqual([]);
  });

  test("an empty file has none", async () => {
    expect(await check(fileOf(""), "leaked 1")).toBe(false);
  });

  test.each([
    ["a missing file", () => ({ kind: "file", path: join(folder, "missing.txt") }) as const],
    ["a file of something else", () => fileOf("hunter2\n".repeat(100))],
  ])("%s lets people in, and is reported", async (_, source) => {
    expect([await check(source(), "leaked 1"), errors.length]).toEqual([false, 1]);
  });
});
