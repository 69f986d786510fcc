import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { send } from "../node.ts";
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

const server = createServer(async (incoming, outgoing) => {
  const url = new URL(incoming.url ?? "/", "http://localhost");
  if (url.pathname === "/echo") {
    const request = new LightRequest(incoming, "http://localhost");
    return send(new LightResponse(await request.text()), outgoing, {});
  }
  const make = ANSWERS[Number(url.searchParams.get("at"))]?.[1];
  if (make) await send(make(url.pathname === "/light" ? Light : Response), outgoing, { "x-content-type-options": "nosniff" });
});
const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
afterAll(() => new Promise((resolve) => server.close(resolve)));

async function overTheWire(path: string): Promise<unknown> {
  const answer = await fetch(address() + path, { redirect: "manual" });
  const headers = [...answer.headers].filter(([name]) => !["date", "connection", "keep-alive"].includes(name));
  return { status: answer.status, headers, body: Buffer.from(await answer.arrayBuffer()).toString("base64") };
}

describe("D3 the light Response looks on the wire as the standard one does", () => {
  test.each(ANSWERS.map(([name], at) => [name, at] as const))("%s", async (_, at) => {
    expect(await overTheWire(`/light?at=${at}`)).toEqual(await overTheWire(`/standard?at=${at}`));
  });

  test.each(ANSWERS)("%s, read again", async (_, make) => {
    expect(await make(Light).text()).toBe(await make(Response).text());
  });

  test("a header's value cannot end its line", () => {
    expect(() => new LightResponse(null, { headers: { Location: "/a\r\nSet-Cookie: x=1" } })).toThrow(TypeError);
  });
});

describe("D3 the light Request reads a body as the standard one does", () => {
  test.each([
    ["text", "grüße"],
    ["nothing", ""],
    ["a byte order mark", "\uFEFFtext"],
    ["a megabyte", "x".repeat(1_000_000)],
  ])("%s", async (_, body) => {
    const sent = new Request("http://localhost", { method: "POST", body });
    expect(await (await fetch(`${address()}/echo`, { method: "POST", body })).text()).toBe(await sent.text());
  });
});
