import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import pg from "pg";

/** What stands between the program and its database. */
export type Pooler = { url: string; stop(): Promise<void> };

/** Which free connection the next transaction gets: the one used last, as from PgBouncer, or the one that has waited longest. */
type Choice = "last used" | "in turns";

/**
 * Starts a pooler in transaction mode: each transaction of a client runs on one of at most `size` connections, whose session it shares with all
 * other clients. It rejects parameters of the session, and knows nothing of prepared statements.
 */
export async function startTransactionPooler(url: string, { size = 2, choose = "last used" as Choice } = {}): Promise<Pooler> {
  const free: Socket[] = [];
  const open = new Set<Socket>();
  const waiting: ((connection: Socket) => void)[] = [];
  const clients = new Set<Socket>();

  async function take(): Promise<Socket> {
    const idle = choose === "last used" ? free.pop() : open.size < size ? undefined : free.shift();
    if (idle) return idle;
    if (open.size === size) return new Promise((resolve) => waiting.push(resolve));
    const placeholder = {} as Socket;
    open.add(placeholder);
    const connection = await connectTo(url);
    open.delete(placeholder);
    open.add(connection);
    return connection;
  }
  function giveBack(connection: Socket): void {
    const next = waiting.shift();
    if (next) next(connection);
    else free.push(connection);
  }

  const server = createServer((client) => {
    clients.add(client);
    let held: Promise<Socket> | undefined;
    let started = false;
    let received = Buffer.alloc(0);
    let batch: Buffer[] = [];
    const end = async () => {
      clients.delete(client);
      const connection = await held;
      if (!connection) return;
      open.delete(connection);
      connection.destroy(); // in the middle of a transaction, which the server rolls back
    };
    client.on("error", () => {}).on("close", () => void end());
    client.on("data", (bytes) => {
      received = Buffer.concat([received, bytes]);
      for (;;) {
        const from = started ? 1 : 0;
        if (received.length < from + 4) return;
        const length = from + received.readInt32BE(from);
        if (received.length < length) return;
        const message = received.subarray(0, length);
        received = received.subarray(length);
        if (!started) {
          const limit = /\w+_timeout/.exec(message.toString("latin1"));
          if (limit) return void client.end(fatal("08P01", `unsupported startup parameter: ${limit[0]}`));
          started = true;
          client.write(Buffer.concat([AUTHENTICATED, READY]));
          continue;
        }
        const type = String.fromCharCode(message[0] ?? 0);
        if (type === "X") return void client.end();
        batch.push(message);
        if (type !== "S" && type !== "Q") continue;
        const complete = Buffer.concat(batch);
        batch = [];
        held ??= take();
        void held.then((connection) => {
          connection.removeAllListeners("data");
          const toClient = untilReady((status) => {
            if (status !== "I") return;
            held = undefined;
            giveBack(connection);
          });
          connection.on("data", (answer) => {
            toClient(answer);
            client.write(answer);
          });
          connection.write(complete);
        });
      }
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const pooled = Object.assign(new URL(url), { hostname: "127.0.0.1", port: String((server.address() as AddressInfo).port), search: "" });
  return {
    url: pooled.href,
    async stop() {
      for (const socket of [...clients, ...open]) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

const AUTHENTICATED = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0]);
const READY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);

/** The socket of a client that has signed in. */
async function connectTo(url: string): Promise<Socket> {
  const client = new pg.Client({ connectionString: Object.assign(new URL(url), { search: "" }).href });
  client.on("error", () => {});
  await client.connect();
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  stream.removeAllListeners("data");
  return stream;
}

/** Reads a server's messages; calls back with the state of the transaction whenever it is ready for the next one. */
function untilReady(onReady: (status: string) => void): (bytes: Buffer) => void {
  let received = Buffer.alloc(0);
  return (bytes) => {
    received = Buffer.concat([received, bytes]);
    while (received.length >= 5 && received.length > received.readInt32BE(1)) {
      const length = 1 + received.readInt32BE(1);
      const [type, status] = [received[0], received[5]];
      received = received.subarray(length);
      if (type === READY[0]) onReady(String.fromCharCode(status ?? 0));
    }
  };
}

/** PostgreSQL's ErrorResponse message. */
export function fatal(code: string, message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`);
  const length = Buffer.alloc(4);
  length.writeInt32BE(fields.length + 4);
  return Buffer.concat([Buffer.from("E"), length, fields]);
}
