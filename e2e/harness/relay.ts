import { createServer, request as httpRequest, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** Stands between a product and the Gatehouse server, so that the server can be gone, or slow, for the product alone. */
export type Relay = {
  url: string;
  /** Requests that arrived, by path. */
  seen: Record<string, number>;
  /** Called when a request arrives; its path is held until the promise resolves. */
  hold: (path: string) => Promise<void> | undefined;
  /** Refuses connections, as a server that is down. */
  down: () => Promise<void>;
  up: () => Promise<void>;
};

export async function startRelay(target: string): Promise<Relay> {
  let server: Server | undefined;
  let port = 0;

  const relay: Relay = {
    url: "",
    seen: {},
    hold: () => undefined,
    async down() {
      server?.closeAllConnections();
      await new Promise<void>((closed) => (server ? server.close(() => closed()) : closed()));
      server = undefined;
    },
    async up() {
      server = listen();
      await new Promise<void>((ready) => server?.listen(port, "localhost", ready));
      port = (server.address() as AddressInfo).port;
    },
  };

  function listen(): Server {
    return createServer(async (incoming, outgoing) => {
      const path = (incoming.url ?? "").split("?")[0] ?? "";
      relay.seen[path] = (relay.seen[path] ?? 0) + 1;
      await relay.hold(path);
      const { hostname, port: to } = new URL(target);
      const { method, headers, url } = incoming;
      // A connection of its own: the server may close an idle one just when it is used.
      const options = { agent: false, hostname, port: to, path: url, method, headers };
      const onward = httpRequest(options, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      });
      onward.on("error", () => outgoing.destroy());
      incoming.pipe(onward);
    });
  }

  await relay.up();
  relay.url = `http://localhost:${port}`;
  return relay;
}
