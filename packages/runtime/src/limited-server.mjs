import { createServer } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { trackConnections } from "./drain.mjs";
import { answerUnreadable, hasTooManyHeaders, MAX_HEADER_BYTES, READ_FIELDS, refuseHeaders } from "./headers.mjs";
import { acceptPlainHttp, answerPlainHttp } from "./plain-http.mjs";
import { followCertificate, readCertificate } from "./tls.mjs";
import { limitUnfinished } from "./unfinished.mjs";

/**
 * Longer than the minute for which proxies and clients keep idle connections, so that they do not write to a closed
 * one. Those of deploy/ do so. OP-05
 */
const KEEP_ALIVE_MS = 75_000;
/** OP-96: after these Node responds with 408 and closes the connection. */
const HEADERS_MS = 10_000;
const REQUEST_MS = 20_000;
const CHECK_REQUESTS_MS = 1_000;

export function createLimitedServer(listener, { tooLarge, everywhere = {}, unfinished, tls, ...options }) {
  const withEverywhere = () => {
    const { body, headers } = tooLarge();
    return { body, headers: { ...everywhere, ...headers } };
  };
  const refuse = (outgoing, status) =>
    void outgoing.writeHead(status, { ...everywhere, Connection: "close", "Cache-Control": "no-store" }).end();

  const create = tls ? createTlsServer : createServer;
  const server = create(
    {
      ...options,
      ...(tls ? { ...readCertificate(tls.files), handshakeTimeout: HEADERS_MS } : {}),
      requireHostHeader: false, // Node's own answer lacks the headers of every response. RFC 9112 §3.2
      keepAliveTimeout: KEEP_ALIVE_MS,
      headersTimeout: HEADERS_MS,
      requestTimeout: REQUEST_MS,
      connectionsCheckingInterval: CHECK_REQUESTS_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
    },
    (incoming, outgoing) => {
      if (tls && answerPlainHttp(incoming, outgoing, tls.publicOrigin, everywhere)) return undefined;
      if (hasTooManyHeaders(incoming)) return refuseHeaders(outgoing, withEverywhere);
      if (incoming.headers.host === undefined && incoming.httpVersion === "1.1") return refuse(outgoing, 400);
      return listener(incoming, outgoing);
    },
  );
  server.on("checkExpectation", (_, outgoing) => refuse(outgoing, 417));
  server.maxHeadersCount = READ_FIELDS;
  trackConnections(server);
  answerUnreadable(server, tooLarge, everywhere);
  limitUnfinished(server, unfinished);
  if (tls) {
    acceptPlainHttp(server);
    followCertificate(server, tls.files, tls.onReload, tls.everyMs);
  }
  return server;
}
