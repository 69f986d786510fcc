import { connect, type Socket } from "node:net";
import type { Call } from "../traffic/client.ts";

/** A response, as far as a load generator looks at it. */
export type Answer = { status: number; retryAfter: boolean };

/** A keep-alive connection with one request in flight at a time. */
export type Connection = { send(request: Buffer): void; close(): void };

type Listener = {
  /** Called for each response. */
  onAnswer(answer: Answer): void;
  /** Called once, at the end. */
  onClosed(): void;
  /** The address of this machine that it comes from. */
  localAddress?: string | undefined;
};

const HEAD_END = Buffer.from("\r\n\r\n");
const LAST_CHUNK = Buffer.from("0\r\n\r\n");

/** Opens a connection on a raw socket: Node's HTTP client costs several times what is measured. */
export function openConnection(port: number, { onAnswer, onClosed, localAddress }: Listener): Connection {
  let pending: Buffer | undefined;
  const socket: Socket = connect({ host: "127.0.0.1", port, noDelay: true, ...(localAddress && { localAddress }) });
  socket.on("data", (received) => {
    const bytes = pending ? Buffer.concat([pending, received]) : received;
    const headEnd = bytes.indexOf(HEAD_END);
    const head = headEnd < 0 ? "" : bytes.toString("latin1", 0, headEnd).toLowerCase();
    if (headEnd < 0 || !isWhole(bytes, head, headEnd + HEAD_END.length)) {
      pending = bytes;
      return;
    }
    pending = undefined;
    onAnswer({ status: Number(head.slice(9, 12)), retryAfter: head.includes("\r\nretry-after: ") });
  });
  socket.on("error", () => {});
  socket.once("close", onClosed);
  return { send: (request) => void socket.write(request), close: () => socket.destroy() };
}

/** Only one response is in flight on a connection, so one that ends like a complete response is complete. */
function isWhole(bytes: Buffer, head: string, bodyFrom: number): boolean {
  const length = /\r\ncontent-length: *(\d+)/.exec(head)?.[1];
  if (length !== undefined) return bytes.length >= bodyFrom + Number(length);
  if (head.includes("\r\ntransfer-encoding: chunked")) return bytes.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK);
  return true; // no body at all: 204, 304
}

/** The request as it is sent. */
export function render({ path, method = "GET", headers = {}, body = "" }: Call, port: number): Buffer {
  const all = { host: `localhost:${port}`, ...(body && { "content-length": Buffer.byteLength(body) }), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${body}`);
}
