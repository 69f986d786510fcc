/** The first byte of a TLS handshake. RFC 8446 §5.1 */
const HANDSHAKE = 0x16;
const FIRST_BYTE_MS = 10_000;
/** Probes of a balancer on this machine or network, and of `gatehouse health`: they carry nothing. */
const PROBES = new Set(["/healthz", "/readyz"]);

export function acceptPlainHttp(server) {
  const [secure] = server.listeners("connection");
  server.removeListener("connection", secure);
  server.prependListener("connection", (socket) => {
    const late = setTimeout(() => socket.destroy(), FIRST_BYTE_MS).unref();
    socket.once("close", () => clearTimeout(late));
    socket.once("error", () => socket.destroy());
    socket.once("data", (first) => {
      clearTimeout(late);
      socket.pause();
      socket.unshift(first);
      if (first[0] === HANDSHAKE) secure.call(server, socket);
      else server.emit("secureConnection", socket);
      process.nextTick(() => socket.resume());
    });
  });
}

export function answerPlainHttp(incoming, outgoing, publicOrigin, everywhere) {
  const { method, url = "/", socket } = incoming;
  if (socket.encrypted || PROBES.has(url)) return false;
  const headers = Object.fromEntries(
    Object.entries({ ...everywhere, "Cache-Control": "no-store", Connection: "close" }).filter(
      ([name]) => name.toLowerCase() !== "strict-transport-security", // RFC 6797 §7.2
    ),
  );
  if (method === "GET" || method === "HEAD") {
    outgoing.writeHead(308, { ...headers, Location: publicOrigin + (url.startsWith("/") ? url : "/") }).end();
    return true;
  }
  // What was sent has already been sent in the open: a redirect would repeat it and hide the mistake.
  outgoing.writeHead(403, { ...headers, "Content-Type": "application/json" });
  outgoing.end(`{"error":"invalid_request","error_description":"Use https: ${publicOrigin}"}`);
  return true;
}
