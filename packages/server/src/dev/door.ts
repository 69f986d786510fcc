import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { LOOPBACK_ADDRESSES } from "@gatehouse/runtime/loopback";

/** Listens in place of a program that has not started. */
export type Door = { close(): void };

/**
 * Listens on a port of the loopback addresses, and passes every connection on to the port that `open` resolves to. The
 * first byte of a connection calls `open`; browsers connect ahead of their users without sending anything.
 */
export async function listenFor(port: number, open: () => Promise<number>): Promise<Door> {
  const sockets = new Set<Socket>();
  const pass = (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    socket.once("readable", () => {
      open().then(
        (target) => join(socket, connect(target, "localhost")),
        () => socket.destroy(), // the program has said why
      );
    });
  };
  const servers = await Promise.all(LOOPBACK_ADDRESSES.map((host) => listenOn(host, port, pass)));
  return {
    close() {
      for (const server of servers) server?.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

function join(socket: Socket, upstream: Socket): void {
  const end = () => {
    socket.destroy();
    upstream.destroy();
  };
  upstream.on("error", end).once("close", end);
  socket.once("close", end);
  socket.pipe(upstream).pipe(socket);
}

/** Undefined where this machine does not have the address; some have no IPv6. */
async function listenOn(host: string, port: number, pass: (socket: Socket) => void): Promise<Server | undefined> {
  const server = createServer(pass).listen({ host, port, exclusive: true });
  try {
    await once(server, "listening");
    return server;
  } catch (error) {
    if (error instanceof Error && "code" in error && /^(EADDRNOTAVAIL|EAFNOSUPPORT)$/.test(String(error.code)))
      return undefined;
    throw error;
  }
}
