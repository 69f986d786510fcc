import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { expect, test } from "vitest";

test("Node gives a request that waits behind another on its connection no socket, so the listener can tell it from one that arrived alone", async () => {
  const queued: boolean[] = [];
  const server = createServer(async (_, outgoing) => {
    queued.push(outgoing.socket === null);
    await undefined;
    outgoing.end("ok");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  const request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
  socket.write(request + request);
  let answers = "";
  for await (const bytes of socket) {
    answers += bytes;
    if (answers.match(/HTTP\/1\.1 200/g)?.length === 2 && queued.length === 2) socket.write(request);
    if (queued.length === 3) break;
  }
  expect(queued).toEqual([false, true, false]);
  server.close();
});
