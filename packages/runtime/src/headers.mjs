export const MAX_HEADER_BYTES = 64 * 1024;

const CLOSE_WITHIN_MS = 1_000;
const REASONS = {
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "413 Payload Too Large",
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
};

export function answerUnreadable(server, tooLarge) {
  server.on("clientError", (error, socket) => {
    if (socket.writableEnded) return;
    if (!socket.writable || error.code === "ECONNRESET" || socket._httpMessage?.headersSent)
      return void socket.destroy(error);
    const { body = "", headers = {} } = error.code === "HPE_HEADER_OVERFLOW" ? tooLarge() : {};
    const all = {
      Connection: "close",
      "Content-Length": Buffer.byteLength(body),
      "Cache-Control": "no-store",
      ...headers,
    };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    // Not destroyed at once: what the client has not read by then would be lost with it.
    socket.end(`HTTP/1.1 ${REASONS[error.code] ?? "400 Bad Request"}\r\n${lines.join("")}\r\n${body}`);
    setTimeout(() => socket.destroy(), CLOSE_WITHIN_MS).unref();
  });
}
