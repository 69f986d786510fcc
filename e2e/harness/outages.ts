import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A way to a database server that tests can cut. */
export type CutableDatabase = {
  /** The database, through the proxy. */
  url: string;
  /** Ends every connection and refuses new ones, as a server that is down does. */
  cut(): Promise<void>;
  restore(): Promise<void>;
  close(): Promise<void>;
};

/** Puts a proxy in front of the server of a PostgreSQL database. */
export async function openCutableDatabase(databaseUrl: string): Promise<CutableDatabase> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    return socket.on("error", () => {}).on("close", () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    const upstream = keep(connect(Number(target.port || 5432), target.hostname));
    keep(client)
      .on("close", () => upstream.destroy())
      .pipe(upstream.on("close", () => client.destroy()))
      .pipe(client);
  });
  const listen = async (port: number) => {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;

  async function cut(): Promise<void> {
    const closed = once(server, "close");
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  }
  return {
    url: Object.assign(new URL(databaseUrl), { hostname: "127.0.0.1", port: String(port) }).href,
    cut,
    restore: () => listen(port),
    close: async () => {
      if (server.listening) await cut();
    },
  };
}
