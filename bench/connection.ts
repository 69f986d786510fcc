import { connect, type Socket } from "node:net";

export type Answer = { status: number; text: () => string };

/** A keep-alive connection with one request in flight at a time. */
export type Connection = { send(request: Buffer): void; close(): void };

const READ_BYTES = 64 * 1024;
const HEAD_END = Buffer.from("\r\n\r\n");
const LAST_CHUNK = Buffer.from("0\r\n\r\n");

/** Opens a connection on a raw socket: Node's HTTP client costs more than most of what is measured. */
export function open(
  port: number,
  onAnswer: (answer: Answer) => void,
  onLost: (error: Error) => void,
): Promise<Connection> {
  let pending: Buffer | undefined;
  let closed = false;

  function take(received: Buffer): void {
    const bytes = pending ? Buffer.concat([pending, received]) : received;
    const headEnd = bytes.indexOf(HEAD_END);
    if (headEnd < 0 || !isWhole(bytes, headEnd)) {
      pending = Buffer.from(bytes); // the next read overwrites the socket's buffer
      return;
    }
    pending = undefined;
    onAnswer({
      status: Number(bytes.toString("latin1", 9, 12)),
      text: () => bytes.toString("utf8", headEnd + HEAD_END.length),
    });
  }

  return new Promise((resolve, reject) => {
    const socket: Socket = connect({
      host: "127.0.0.1",
      port,
      noDelay: true,
      onread: {
        buffer: Buffer.allocUnsafe(READ_BYTES),
        callback: (length, buffer) => {
          take(Buffer.from(buffer.buffer, buffer.byteOffset, length));
          return true;
        },
      },
    });
    socket.once("connect", () => {
      socket.off("error", reject);
      socket.on("error", onLost);
      resolve({
        send: (request) => void socket.write(request),
        close() {
          closed = true;
          socket.destroy();
        },
      });
    });
    socket.once("error", reject);
    socket.once("close", () => !closed && onLost(new Error("the server closed the connection")));
  });
}

/** Only one response is in flight on a connection, so one that ends like a complete response is complete. */
function isWhole(bytes: Buffer, headEnd: number): boolean {
  const head = bytes.toString("latin1", 0, headEnd).toLowerCase();
  const length = /\r\ncontent-length: *(\d+)/.exec(head)?.[1];
  if (length !== undefined) return bytes.length >= headEnd + HEAD_END.length + Number(length);
  if (head.includes("\r\ntransfer-encoding: chunked")) return bytes.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK);
  return true; // no body at all: 204, 304
}
