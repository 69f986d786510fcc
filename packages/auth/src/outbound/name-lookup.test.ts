import { scrypt } from "node:crypto";
import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { afterEach, describe, expect, test } from "vitest";
import { createNameLookup, type NameLookup } from "./name-lookup.ts";
import { createOutbound } from "./outbound.ts";

const A = 1;
const AAAA = 28;
const running: Socket[] = [];
afterEach(() => {
  for (const socket of running.splice(0)) socket.close();
});

type Question = { name: string; type: number };

/**
 * A name server on loopback. `answer` gives the bytes of one address, nothing for "no such record", undefined for
 * silence.
 */
async function nameServer(answer: (question: Question) => number[] | undefined | "none") {
  const asked: Question[] = [];
  const socket = createSocket("udp4");
  running.push(socket);
  const heard = new Map<string, () => void>();
  socket.on("message", (query, from) => {
    const { question, end } = readQuestion(query);
    asked.push(question);
    heard.get(question.name)?.();
    const data = answer(question);
    if (data !== undefined)
      socket.send(reply(query.subarray(0, end), data === "none" ? [] : data, question.type), from.port, from.address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  return {
    servers: [`127.0.0.1:${socket.address().port}`],
    asked,
    /** The first query for this name has come in. */
    hears: (name: string) =>
      asked.some((one) => one.name === name) ? Promise.resolve() : new Promise<void>((done) => heard.set(name, done)),
  };
}

/** RFC 1035 §4.1: the header has twelve bytes, the question follows. */
function readQuestion(query: Buffer): { question: Question; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString("ascii", at + 1, at + 1 + length));
    at += length + 1;
  }
  return { question: { name: labels.join("."), type: query.readUInt16BE(at + 1) }, end: at + 5 };
}

function reply(asked: Buffer, data: number[], type: number): Buffer {
  const header = Buffer.from(asked);
  header.writeUInt16BE(0x8180, 2);
  header.writeUInt16BE(data.length > 0 ? 1 : 0, 6);
  header.writeUInt32BE(0, 8);
  if (data.length === 0) return header;
  const record = Buffer.alloc(12);
  record.writeUInt16BE(0xc00c, 0); // the name of the question
  record.writeUInt16BE(type, 2);
  record.writeUInt16BE(1, 4);
  record.writeUInt16BE(data.length, 10);
  return Buffer.concat([header, record, Buffer.from(data)]);
}

const never = () => new AbortController().signal;
const V6 = [0x26, 6, 0x47, 0, ...Array<number>(11).fill(0), 1];

describe("DNS lookups", () => {
  test("DC-08: resolves to the addresses of both families, or of the only one", async () => {
    const { servers } = await nameServer(({ name, type }) => {
      if (type === A) return name === "six.example" ? "none" : [192, 0, 2, 1];
      return name === "four.example" ? "none" : V6;
    });
    const lookup = createNameLookup({ servers });
    const [four, six] = [
      { address: "192.0.2.1", family: 4 },
      { address: "2606:4700::1", family: 6 },
    ];
    expect(await lookup("both.example", never())).toEqual([four, six]);
    expect(await lookup("four.example", never())).toEqual([four]);
    expect(await lookup("six.example", never())).toEqual([six]);
  });

  test("DC-08: a name without addresses is an error", async () => {
    const { servers } = await nameServer(() => "none");
    await expect(createNameLookup({ servers })("none.example", never())).rejects.toMatchObject({ code: "ENODATA" });
  });

  test.each(["localhost", "LOCALHOST.", "app.localhost"])("DC-08: %s is loopback without a DNS query", async (name) => {
    const { servers, asked } = await nameServer(() => [8, 8, 8, 8]);
    const found = await createNameLookup({ servers })(name, never());
    expect(found.map(({ address }) => address)).toEqual(["127.0.0.1", "::1"]);
    expect(asked).toEqual([]);
  });

  test("DC-08: concurrency is limited; an aborted lookup stops waiting and frees its slot", async () => {
    const { servers, asked, hears } = await nameServer(({ name }) =>
      name.startsWith("silent") ? undefined : [192, 0, 2, 1],
    );
    const lookup: NameLookup = createNameLookup({ servers, maxConcurrent: 2 });
    const patience = [new AbortController(), new AbortController(), new AbortController()];
    const silent = patience.map(({ signal }, at) => lookup(`silent-${at}.example`, signal));
    const failed = Promise.allSettled(silent);
    const good = lookup("good.example", never());
    await Promise.all([hears("silent-0.example"), hears("silent-1.example")]);

    patience[2]?.abort(new Error("gave up in line"));
    await expect(silent[2]).rejects.toThrow("gave up in line");
    expect(asked.some(({ name }) => name === "good.example")).toBe(false);
    patience[0]?.abort(new Error("gave up while asking"));
    expect((await good).length).toBeGreaterThan(0);
    expect(asked.some(({ name }) => name === "silent-2.example")).toBe(false);

    patience[1]?.abort();
    expect((await failed).map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  });

  test("DC-08: hanging lookups do not block file access and password hashing", async () => {
    const { servers, hears } = await nameServer(() => undefined);
    const lookup = createNameLookup({ servers });
    const names = Array.from({ length: 16 }, (_, at) => `silent-${at}.example`);
    // One signal for each, as callers have
    const lookups = names.map((name) => ({ name, patience: new AbortController() }));
    const hanging = Promise.allSettled(lookups.map(({ name, patience }) => lookup(name, patience.signal)));
    await Promise.all(names.map(hears));
    expect((await readFile(import.meta.filename, "utf8")).length).toBeGreaterThan(0);
    expect((await promisify(scrypt)("password", "salt", 16)) as Buffer).toHaveLength(16);
    for (const { patience } of lookups) patience.abort();
    expect(new Set((await hanging).map(({ status }) => status))).toEqual(new Set(["rejected"]));
  });

  test("CI-05: resolved addresses are checked before connecting", async () => {
    const { servers, asked } = await nameServer(({ type }) => (type === A ? [10, 0, 0, 1] : V6));
    const { fetchDocument } = createOutbound({ allowLoopback: false, lookup: createNameLookup({ servers }) });
    const limits = {
      maxBytes: 100,
      timeoutMs: 2000,
      accept: ["application/json"],
      namedBy: "team" as const,
      asker: "shop",
    };
    await expect(fetchDocument("https://app.example/doc", limits)).rejects.toMatchObject({
      problem: "address_not_public",
    });
    expect(asked.map(({ type }) => type).sort()).toEqual([A, AAAA]);
  });

  test("CI-05: a silent name server is a timeout", async () => {
    const { servers } = await nameServer(() => undefined);
    const { fetchDocument } = createOutbound({ allowLoopback: false, lookup: createNameLookup({ servers }) });
    const limits = {
      maxBytes: 100,
      timeoutMs: 200,
      accept: ["application/json"],
      namedBy: "team" as const,
      asker: "shop",
    };
    await expect(fetchDocument("https://app.example/doc", limits)).rejects.toMatchObject({ problem: "timed_out" });
  });

  test("CI-05 DC-08: what the team and providers named never waits for silent names of strangers", async () => {
    const { servers, hears } = await nameServer(({ name, type }) => {
      if (!name.startsWith("team")) return undefined;
      return type === A ? [10, 0, 0, 1] : "none";
    });
    const outbound = createOutbound({ allowLoopback: false, nameServers: servers });
    const limits = { maxBytes: 100, timeoutMs: 3000 };
    let ended = 0;
    const silent = Array.from({ length: 16 }, (_, at) => {
      const stranger = {
        ...limits,
        accept: ["application/json"],
        namedBy: "stranger" as const,
        asker: `network ${at}`,
      };
      const requests = [
        outbound.fetchDocument(`https://silent-${at}.example/doc`, stranger),
        outbound.postForm(`https://silent-${at}.example/logout`, new URLSearchParams(), stranger),
      ];
      return Promise.allSettled(requests.map((request) => request.finally(() => (ended += 1))));
    });
    await hears("silent-0.example");
    const named = { ...limits, accept: ["application/json"], namedBy: "team" as const, asker: "shop" };
    const answers = await Promise.allSettled([
      outbound.fetchDocument("https://team-keys.example/jwks.json", named),
      outbound.fetchBytes("https://team-provider.example/", limits),
      outbound.postForm("https://team-logout.example/", new URLSearchParams(), named),
    ]);
    const resolved = { status: "rejected", reason: { problem: "address_not_public", message: "resolves to 10.0.0.1" } };
    expect(answers).toMatchObject([resolved, resolved, resolved]);
    expect(ended).toBe(0);
    await Promise.all(silent);
  });
});
