import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/** A request as the product got it. */
export type Received = { method: string; path: string; headers: Record<string, string>; body: Buffer };
export type Product = { url: string; received: Received[]; close(): void };

/** A product on loopback. `answer` is called with the number of requests so far. */
export async function startProduct(
  answer: (response: ServerResponse, count: number, request: IncomingMessage) => void,
): Promise<Product> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const { method = "", url: path = "" } = request;
    received.push({ method, path, headers, body: await buffer(request) });
    answer(response, received.length, request);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
