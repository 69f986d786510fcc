import { createServer, type IncomingMessage } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { asOAuthError } from "@gatehouse/auth";
import { readText } from "@gatehouse/runtime";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MAX_BODY_BYTES, send, toRequest } from "../convert.ts";
import { skipEmptyBody } from "./end-body.ts";
import { LightRequest } from "./request.ts";
import { LightResponse } from "./response.ts";

const bytes = new Uint8Array([0, 255, 10]);
const stream = () => new Blob(["streamed"]).stream();

/** Each is made once with the standard class and once with ours; the caller must not be able to tell. */
const ANSWERS: [string, (Make: typeof Response) => Response][] = [
  ["text", (Make) => new Make("grüße", { status: 201, headers: { "X-One": "1" } })],
  ["text with a type", (Make) => new Make("{}", { headers: { "Content-Type": "application/json" } })],
  ["bytes", (Make) => new Make(bytes)],
  ["a stream", (Make) => new Make(stream())],
  ["a form", (Make) => new Make(new URLSearchParams({ a: "b c" }))],
  ["nothing", (Make) => new Make(null, { status: 303, headers: { Location: "/x?y=%20" } })],
  ["no content", (Make) => new Make(null, { status: 204 })],
  ["json", (Make) => Make.json({ a: null }, { status: 400, headers: [["cache-control", "no-store"]] })],
  ["a copy without its body", (Make) => new Make(null, new Make("text", { status: 202, headers: { ETag: '"1"' } }))],
  [
    "headers of a constant",
    (Make) =>
      new Make("{}", { status: 401, headers: Object.freeze({ Vary: "Cookie", "X-Content-Type-Options": "none" }) }),
  ],
  [
    "cookies",
    (Make) => {
      const response = new Make(null, { headers: new Headers({ Vary: "Cookie" }) });
      response.headers.append("Vary", "Authorization");
      response.headers.append("Set-Cookie", "a=1");
      response.headers.append("Set-Cookie", "b=2");
      return response;
    },
  ],
];
const Light = LightResponse as unknown as typeof Response;

const nameOf = (error: unknown) => (error instanceof Error ? error.name : "no error");
const refused = (reading: () => Promise<unknown>) =>
  new Promise((resolve) => resolve(reading())).then(() => "read", nameOf);

/** Ways to read a body; what each tells must not depend on the class. */
const READINGS: [string, (request: Request) => Promise<unknown[]>][] = [
  ["the text, again", async (r) => [r.bodyUsed, await r.text(), r.bodyUsed, await refused(() => r.text())]],
  ["the bytes, then the text", async (r) => [(await r.arrayBuffer()).byteLength, await refused(() => r.text())]],
  [
    "the bytes as they arrived",
    async (r) => {
      // Node 20's standard class has no such member.
      const bytes = (one: Request & { bytes?: () => Promise<Uint8Array> }) =>
        one.bytes?.() ?? one.arrayBuffer().then((b) => new Uint8Array(b));
      return [[...(await bytes(r))], r.bodyUsed, await refused(() => bytes(r)), await refused(() => r.text())];
    },
  ],
  ["JSON", async (r) => [await r.json().catch(nameOf)]],
  ["a blob, then the text", async (r) => [(await r.blob()).size, await refused(() => r.text())]],
  ["a clone, then the original", async (r) => [r.bodyUsed, await r.clone().text(), await r.text(), r.bodyUsed]],
  [
    "the original, then its clone",
    async (r) => {
      const clone = r.clone();
      return [await r.text(), await clone.text(), r.bodyUsed, clone.bodyUsed];
    },
  ],
  [
    "two clones and the original",
    async (r) =>
      Promise.all([r.clone().text(), r.clone().arrayBuffer(), r.text()].map(async (one) => String(await one))),
  ],
  ["a clone that nobody reads", async (r) => [r.clone().bodyUsed, await r.text()]],
  [
    "a clone of what was read",
    async (r) => [await r.text(), await refused(async () => r.clone()), await refused(() => r.blob())],
  ],
  [
    "the stream",
    async (r) => [
      r.body === null,
      r.bodyUsed,
      await new Response(r.body).text(),
      r.bodyUsed,
      await refused(() => r.text()),
    ],
  ],
  [
    "the stream of what was read",
    async (r) => [await r.text(), r.body === null, await refused(async () => r.body?.getReader().read())],
  ],
  ["a stream that was only looked at", async (r) => [r.body === null, await r.text(), r.bodyUsed]],
  ["the signal", async (r) => [r.signal.aborted, await r.text()]],
];
const FORM = async (r: Request) => [(await r.formData()).get("a")];

type How = "text" | "arrayBuffer" | "bytes" | "blob" | "clone";
/** The error with which a read was rejected. */
function refusalOf(request: LightRequest, how: How): Promise<unknown> {
  const reading: Promise<unknown> = how === "clone" ? request.clone().text() : request[how]();
  return reading.then(() => "read", asOAuthError);
}
let onHalf: (incoming: IncomingMessage) => Promise<void> = async () => undefined;

const server = createServer(async (incoming, outgoing) => {
  const url = new URL(incoming.url ?? "/", "http://localhost");
  if (url.pathname === "/half") return onHalf(incoming);
  if (url.pathname === "/read") {
    const make =
      url.searchParams.get("as") === "light"
        ? new LightRequest(incoming, "http://localhost")
        : toRequest(incoming, "http://localhost");
    const read = READINGS[Number(url.searchParams.get("at"))]?.[1] ?? FORM;
    return send(LightResponse.json(await read(make as unknown as Request)), outgoing, {});
  }
  if (url.pathname === "/refuse") {
    const error = await refusalOf(new LightRequest(incoming, "http://localhost"), url.searchParams.get("how") as How);
    return send(LightResponse.json({ status: (error as { status?: number }).status }), outgoing, {});
  }
  if (url.pathname === "/echo") {
    const request = new LightRequest(incoming, "http://localhost");
    return send(new LightResponse(await request.text()), outgoing, {});
  }
  if (url.pathname === "/arrived") {
    const request = new LightRequest(incoming, "http://localhost") as unknown as Request;
    skipEmptyBody(incoming);
    await undefined; // as the listener waits before it calls a handler
    const text = await readText(request, 100_000);
    const again = await readText(request, 100_000).catch(nameOf);
    return send(LightResponse.json([incoming.method, text.length, text.slice(-5), again]), outgoing, {});
  }
  const make = ANSWERS[Number(url.searchParams.get("at"))]?.[1];
  if (make)
    await send(make(url.pathname === "/light" ? Light : Response), outgoing, { "x-content-type-options": "nosniff" });
});
const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
afterAll(() => new Promise((resolve) => server.close(resolve)));

async function overTheWire(path: string): Promise<unknown> {
  const answer = await fetch(address() + path, { redirect: "manual" });
  const headers = [...answer.headers].filter(([name]) => !["date", "connection", "keep-alive"].includes(name));
  return { status: answer.status, headers, body: Buffer.from(await answer.arrayBuffer()).toString("base64") };
}

describe("D3 the light Response looks like the standard one on the wire", () => {
  test.each(ANSWERS.map(([name], at) => [name, at] as const))("%s", async (_, at) => {
    expect(await overTheWire(`/light?at=${at}`)).toEqual(await overTheWire(`/standard?at=${at}`));
  });

  test.each(ANSWERS)("%s, read again", async (_, make) => {
    expect(await make(Light).text()).toBe(await make(Response).text());
  });

  test("a response that changes headers of a constant changes its own alone", async () => {
    const CONSTANT = Object.freeze({ "Content-Type": "application/json", Vary: "Cookie" });
    const make = () => new LightResponse("{}", { headers: CONSTANT });
    const [before, changed, after] = [make(), make(), make()];
    changed.headers.append("Vary", "Authorization");
    changed.headers.append("Set-Cookie", "a=1");
    expect(
      [before, changed, after, make()].map(({ headers }) => [headers.get("vary"), headers.get("set-cookie")]),
    ).toEqual([
      ["Cookie", null],
      ["Cookie, Authorization", "a=1"],
      ["Cookie", null],
      ["Cookie", null],
    ]);
  });

  test("a header value cannot contain a line break", () => {
    for (const headers of [
      { Location: "/a\r\nSet-Cookie: x=1" },
      Object.freeze({ Location: "/a\r\nSet-Cookie: x=1" }),
    ]) {
      expect(() => new LightResponse(null, { headers })).toThrow(TypeError);
    }
  });
});

describe("D3 the light Request reads bodies like the standard one", () => {
  test.each([
    ["text", "grüße"],
    ["nothing", ""],
    ["a byte order mark", "\uFEFFtext"],
    ["a megabyte", "x".repeat(1_000_000)],
  ])("%s", async (_, body) => {
    const sent = new Request("http://localhost", { method: "POST", body });
    expect(await (await fetch(`${address()}/echo`, { method: "POST", body })).text()).toBe(await sent.text());
  });

  test.each(READINGS.map(([name], at) => [name, at] as const))("%s", async (_, at) => {
    const ask = async (as: string, init: RequestInit) =>
      (await fetch(`${address()}/read?as=${as}&at=${at}`, init)).json();
    for (const init of [{ method: "POST", body: '{"a":1}' }, { method: "POST" }, { method: "GET" }]) {
      expect(await ask("light", init)).toEqual(await ask("standard", init));
    }
  });

  test("a form", async () => {
    const ask = async (as: string) =>
      (
        await fetch(`${address()}/read?as=${as}&at=form`, { method: "POST", body: new URLSearchParams({ a: "b c" }) })
      ).json();
    expect(await ask("light")).toEqual(await ask("standard"));
    expect(await ask("light")).toEqual(["b c"]);
  });
});

describe("D3 the requests of a connection are answered in order, however their bodies arrive", () => {
  const big = "x".repeat(90_000);
  const post = (body: string) =>
    `POST /arrived HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const chunked =
    "POST /arrived HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n";
  const get = "GET /arrived HTTP/1.1\r\nHost: localhost\r\n\r\n";
  const getWithBody = "GET /arrived HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\nbody";
  const [ofGet, ofChunked] = [
    ["GET", 0, "", ""],
    ["POST", 5, "abcde", ""],
  ];
  const ofPost = (text: string) => ["POST", text.length, text.slice(-5), "BodyError"];

  test.each<[string, string[], unknown[]]>([
    ["one packet each", [post("hello"), get, post("world")], [ofPost("hello"), ofGet, ofPost("world")]],
    [
      "all in one packet",
      [post("hello") + get + chunked + post("world") + get],
      [ofPost("hello"), ofGet, ofChunked, ofPost("world"), ofGet],
    ],
    ["a body in two packets", [post("hello").slice(0, -2), `lo${get}`], [ofPost("hello"), ofGet]],
    ["a body after its headers", [post("hello").slice(0, -5), "hello", get], [ofPost("hello"), ofGet]],
    ["a body that fills more than one buffer", [post(big) + get], [ofPost(big), ofGet]],
    ["a GET with a body, which is not read", [getWithBody + post("hello")], [ofGet, ofPost("hello")]],
  ])("%s", async (_, packets, answers) => {
    expect(await exchange(packets, answers.length)).toEqual(answers);
  });
});

/** Sends the packets, and returns the JSON of the answers. */
async function exchange(packets: readonly string[], answers: number): Promise<unknown[]> {
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.setNoDelay(true);
  let received = "";
  const bodies = () => [...received.matchAll(/\r\n\r\n(\[.*?\])/g)].map(([, body = ""]) => JSON.parse(body));
  const answered = new Promise<void>((resolve) => {
    socket.on("data", (chunk) => {
      received += chunk;
      if (bodies().length === answers) resolve();
    });
  });
  for (const packet of packets) {
    await new Promise((resolve) => socket.write(packet, resolve));
    await new Promise((resolve) => setImmediate(resolve));
  }
  await answered;
  socket.destroy();
  return bodies();
}

describe("every read of a body ends", () => {
  test("clone() leaves the original readable", async () => {
    const answer = await fetch(
      `${address()}/read?as=light&at=${READINGS.findIndex(([name]) => name === "a clone, then the original")}`,
      {
        method: "POST",
        body: "twice",
      },
    );
    expect(await answer.json()).toEqual([false, "twice", "twice", true]);
  });

  test.each(["text", "arrayBuffer", "bytes", "blob", "clone"] as const)(
    "%s of an incomplete body is rejected with 400",
    async (how) => {
      expect(await cutOff(how, "before the read")).toMatchObject({ status: 400, refusalCause: "body_unreadable" });
      expect(await cutOff(how, "during the read")).toMatchObject({ status: 400, refusalCause: "body_unreadable" });
    },
  );

  test.each(["text", "arrayBuffer", "blob", "clone"] as const)(
    "%s of a body over the limit is rejected with 413",
    async (how) => {
      const init = { method: "POST", body: new Uint8Array(MAX_BODY_BYTES + 1) };
      expect(await (await fetch(`${address()}/refuse?how=${how}`, init)).json()).toMatchObject({ status: 413 });
    },
  );
});

/** Sends half a body and resets the connection, and returns the error of the read. */
async function cutOff(how: How, when: "before the read" | "during the read"): Promise<unknown> {
  const outcome = new Promise((resolve) => {
    onHalf = async (incoming) => {
      if (when === "before the read") {
        socket.resetAndDestroy();
        await new Promise((resolve) => incoming.once("close", resolve));
      }
      const refused = refusalOf(new LightRequest(incoming, "http://localhost"), how);
      if (when === "during the read") socket.resetAndDestroy();
      resolve(await refused);
    };
  });
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.write("POST /half HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nhalf");
  return outcome;
}
