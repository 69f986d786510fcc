import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import pg from "pg";

/** What stands between the program and its database. */
export type Pooler = { url: string; stop(): Promise<void> };

type Options = {
  /** The most connections to the server. */
  size?: number;
  /**
   * Which free one the next transaction gets: the one used last, as from PgBouncer, or the one that has waited longest.
   */
  choose?: "last used" | "in turns";
};

/**
 * Starts a pooler in transaction mode: each transaction of a client runs on any connection to the server, whose session
 * it shares with all other clients. It rejects parameters of the session, and knows nothing of prepared statements.
 */
export async function startTransactionPooler(url: string, options: Options = {}): Promise<Pooler> {
  const connections = createConnections(url, options);
  const clients = new Set<Socket>();
  const server = createServer((client) => {
    clients.add(client);
    client.on("error", () => {}).on("close", () => clients.delete(client));
    serve(client, connections);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: Object.assign(new URL(url), { hostname: "127.0.0.1", port: String(port), search: "" }).href,
    async stop() {
      for (const client of clients) client.destroy();
      connections.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

type Connections = {
  /** Waits for one that is free. */
  take(): Promise<Socket>;
  giveBack(connection: Socket): void;
  /** For one that is in the middle of a transaction: the server rolls it back. */
  drop(connection: Socket): void;
  destroy(): void;
};

function createConnections(url: string, { size = 3, choose = "last used" }: Options): Connections {
  const free: Socket[] = [];
  const all = new Set<Socket>();
  const waiting: ((connection: Socket) => void)[] = [];
  let count = 0;
  function giveBack(connection: Socket): void {
    const next = waiting.shift();
    if (next) next(connection);
    else free.push(connection);
  }
  async function open(): Promise<Socket> {
    count++;
    const connection = await connectTo(url);
    all.add(connection);
    return connection;
  }
  return {
    async take() {
      const idle = choose === "last used" ? free.pop() : count < size ? undefined : free.shift();
      if (idle) return idle;
      return count < size ? open() : new Promise((resolve) => waiting.push(resolve));
    },
    giveBack,
    drop(connection) {
      connection.destroy();
      all.delete(connection);
      count--;
      if (waiting.length > 0) void open().then(giveBack);
    },
    destroy() {
      for (const connection of all) connection.destroy();
    },
  };
}

/** Lets a client in, and runs each of its transactions on a connection. */
function serve(client: Socket, { take, giveBack, drop }: Connections): void {
  let held: Promise<Socket> | undefined;
  let batch: Buffer[] = [];

  function start(message: Buffer): void {
    const limit = /\w+_timeout/.exec(message.toString("latin1"))?.[0];
    if (limit) client.end(fatal("08P01", `unsupported startup parameter: ${limit}`));
    else client.write(Buffer.concat([AUTHENTICATED, READY]));
  }
  async function run(messages: Buffer): Promise<void> {
    held ??= take();
    const connection = await held;
    connection.removeAllListeners("data");
    const read = messagesOf((message) => {
      if (message[0] !== READY[0] || message[5] !== IDLE) return;
      held = undefined;
      giveBack(connection);
    });
    connection.on("data", (answer) => {
      client.write(answer);
      read(answer);
    });
    connection.write(messages);
  }

  const read = messagesOf((message, isFirst) => {
    if (isFirst) return start(message);
    batch.push(message);
    const type = String.fromCharCode(message[0] ?? 0);
    if (type === "X") client.end();
    if (type !== "S" && type !== "Q") return; // Sync or Query
    void run(Buffer.concat(batch));
    batch = [];
  }, true);
  client.on("data", read).on("close", () => void held?.then(drop));
}

const IDLE = "I".charCodeAt(0);
const AUTHENTICATED = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0]);
const READY = Buffer.from([0x5a, 0, 0, 0, 5, IDLE]);

/** Cuts a stream into messages. A client's first one has no type in front of its length. */
function messagesOf(
  onMessage: (message: Buffer, isFirst: boolean) => void,
  firstHasNoType = false,
): (bytes: Buffer) => void {
  let received = Buffer.alloc(0);
  let isFirst = firstHasNoType;
  return (bytes) => {
    received = Buffer.concat([received, bytes]);
    for (;;) {
      const type = isFirst ? 0 : 1;
      if (received.length < type + 4) return;
      const length = type + received.readInt32BE(type);
      if (received.length < length) return;
      const message = received.subarray(0, length);
      received = received.subarray(length);
      onMessage(message, isFirst);
      isFirst = false;
    }
  };
}

/** The socket of a client that has signed in. */
async function connectTo(url: string): Promise<Socket> {
  const client = new pg.Client({ connectionString: Object.assign(new URL(url), { search: "" }).href });
  client.on("error", () => {});
  await client.connect();
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  stream.removeAllListeners("data");
  return stream;
}

/** PostgreSQL's ErrorResponse message. */
export function fatal(code: string, message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`);
  const length = Buffer.alloc(4);
  length.writeInt32BE(fields.length + 4);
  return Buffer.concat([Buffer.from("E"), length, fields]);
}
