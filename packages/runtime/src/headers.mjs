export const MAX_HEADER_BYTES = 64 * 1024;
const MAX_FIELDS = 100;
const MAX_FIELD_BYTES = 16 * 1024;

/** One more than is allowed: Node drops the rest, so that a request at this number has too many. */
export const READ_FIELDS = MAX_FIELDS + 1;

const CLOSE_WITHIN_MS = 1_000;
const REASONS = {
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "413 Payload Too Large",
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
};

export function hasTooManyHeaders({ rawHeaders }) {
  if (rawHeaders.length > 2 * MAX_FIELDS) return true;
  let bytes = 0;
  for (const text of rawHeaders) bytes += text.length;
  if (bytes <= MAX_FIELD_BYTES) return false; // as almost always
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (isCookie(rawHeaders[at])) bytes -= rawHeaders[at].length + rawHeaders[at + 1].length;
  return bytes > MAX_FIELD_BYTES;
}

const isCookie = (name) => name.length === 6 && name.toLowerCase() === "cookie";

export function refuseHeaders(outgoing, tooLarge) {
  const { body, headers } = tooLarge();
  outgoing.writeHead(431, { Connection: "close", "Cache-Control": "no-store", ...headers });
  outgoing.end(body);
}

export function answerUnreadable(server, tooLarge, everywhere = {}) {
  server.on("clientError", (error, socket) => {
    if (socket.writableEnded) return;
    if (!socket.writable || error.code === "ECONNRESET" || socket._httpMessage?.headersSent)
      return void socket.destroy(error);
    const { body = "", headers = {} } = error.code === "HPE_HEADER_OVERFLOW" ? tooLarge() : {};
    const all = {
      Connection: "close",
      "Content-Length": Buffer.byteLength(body),
      "Cache-Control": "no-store",
      ...everywhere,
      ...headers,
    };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    // Not destroyed at once: what the client has not read by then would be lost with it.
    socket.end(`HTTP/1.1 ${REASONS[error.code] ?? "400 Bad Request"}\r\n${lines.join("")}\r\n${body}`);
    setTimeout(() => socket.destroy(), CLOSE_WITHIN_MS).unref();
  });
}
