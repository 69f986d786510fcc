import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { answerUnreadable, MAX_HEADER_BYTES } from "./headers.mjs";

let server: Server;
beforeAll(async () => {
  server = createServer({ maxHeaderSize: MAX_HEADER_BYTES }, (_, outgoing) => outgoing.end("read"));
  answerUnreadable(server, () => ({ body: "too many cookies", headers: { "Content-Type": "text/plain" } }));
  await once(server.listen(0, "127.0.0.1"), "listening");
});
afterAll(() => server.close());

async function send(request: string): Promise<string> {
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.write(request);
  return text(socket);
}
const withCookies = (bytes: number) =>
  `GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nCookie: a=${"x".repeat(bytes)}\r\n\r\n`;

test("headers of 19 and of 60 kB are read", async () => {
  for (const bytes of [19_000, 60_000]) expect(await send(withCookies(bytes))).toMatch(/^HTTP\/1\.1 200[\s\S]*read/);
});

test("more than that gets 431 with words, and a malformed request gets 400", async () => {
  expect(await send(withCookies(66_000))).toMatch(
    /^HTTP\/1\.1 431 [\s\S]*Connection: close[\s\S]*\r\n\r\ntoo many cookies$/,
  );
  expect(await send("nonsense\r\n\r\n")).toMatch(/^HTTP\/1\.1 400 [\s\S]*\r\n\r\n$/);
});
