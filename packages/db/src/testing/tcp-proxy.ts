import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A proxy that simulates network faults. */
export type TcpProxy = {
  port: number;
  /**
   * While on, no byte passes in either direction and nothing is closed; new connections are accepted and get no answer.
   */
  swallow(on: boolean): void;
  /** The number of open client connections. */
  open(): number;
  stop(): Promise<void>;
};

/**
 * Forwards connections to `port`. If `answer` returns something for a client's first bytes, that is sent back and the
 * connection closed.
 */
export async function startTcpProxy(
  port: number,
  answer: (first: Buffer) => Buffer | undefined = () => undefined,
): Promise<TcpProxy> {
  const clients = new Set<Socket>();
  let swallowing = false;
  const server = createServer((client) => {
    clients.add(client);
    client.on("error", () => {}).on("close", () => clients.delete(client));
    const upstream = connect(port, "127.0.0.1").on("error", () => client.destroy());
    client.on("close", () => upstream.destroy());
    upstream.on("close", () => swallowing || client.destroy());
    upstream.on("data", (bytes) => swallowing || client.write(bytes));
    let first = true;
    client.on("data", (bytes) => {
      const refusal = first ? answer(bytes) : undefined;
      first = false;
      if (refusal) client.end(refusal);
      else if (!swallowing) upstream.write(bytes);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    swallow: (on) => {
      swallowing = on;
    },
    open: () => clients.size,
    stop: async () => {
      for (const client of clients) client.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
