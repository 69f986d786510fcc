import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A TCP address that leads to one server at a time, and can lose bytes: how a fleet reaches its database. */
export type MovableAddress = {
  port: number;
  /** New connections lead to this port; open ones are reset, as by a balancer that marks a server down. */
  moveTo(port: number): void;
  /** While on, no byte passes in either direction and nothing is closed. New connections are accepted, and get no answer. */
  swallow(on: boolean): void;
  close(): Promise<void>;
};

export async function openAddress(target: number): Promise<MovableAddress> {
  const clients = new Set<Socket>();
  let to = target;
  let swallowing = false;
  const server = createServer((client) => {
    clients.add(client);
    const upstream = connect(to, "127.0.0.1");
    upstream.on("error", () => client.destroy());
    client
      .on("error", () => {})
      .on("close", () => {
        clients.delete(client);
        upstream.destroy();
      });
    upstream.on("close", () => swallowing || client.destroy());
    upstream.on("data", (bytes) => swallowing || client.write(bytes));
    client.on("data", (bytes) => swallowing || upstream.write(bytes));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const reset = () => {
    for (const client of clients) client.resetAndDestroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    moveTo(port) {
      to = port;
      reset();
    },
    swallow(on) {
      swallowing = on;
    },
    async close() {
      reset();
      server.close();
      await once(server, "close");
    },
  };
}
