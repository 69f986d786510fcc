import { networkOf, plainAddress } from "./address.mjs";

export const MAX_UNFINISHED = 200;
const EVERY_MS = 500;
const TOO_MANY = [
  "HTTP/1.1 503 Service Unavailable",
  "Retry-After: 10",
  "Connection: close",
  "Cache-Control: no-store",
  "X-Content-Type-Options: nosniff",
  "Content-Length: 0",
];

export function limitUnfinished(
  server,
  { most = MAX_UNFINISHED, everyMs = EVERY_MS, isProxy = () => false, callerOf },
) {
  let before = new Map();
  const look = () => {
    const now = new Map(unfinishedRequests(server).map((parser) => [parser, parser.incoming]));
    // The whole list is short in normal times, and then nobody has too many.
    if (now.size > most) {
      const slow = [...now.keys()].filter((parser) => before.has(parser) && before.get(parser) === now.get(parser));
      for (const parser of excess(slow, most, isProxy, callerOf)) refuse(parser.socket);
    }
    before = now;
  };
  server.once("listening", () => {
    const timer = setInterval(look, everyMs).unref();
    server.once("close", () => clearInterval(timer));
  });
}

/**
 * The parsers of connections on which a request has begun, or none has come yet. Node keeps this list for its time-outs,
 * so that counting costs requests nothing.
 */
function unfinishedRequests(server) {
  const [list] = Object.getOwnPropertySymbols(server).filter(
    ({ description }) => description === "http.server.connections",
  );
  return list === undefined ? [] : server[list].active().filter(({ socket }) => socket && !socket.destroyed);
}

/** Those beyond the first `most` of each network; Node's list begins with the oldest. */
function excess(parsers, most, isProxy, callerOf) {
  const counts = new Map();
  return parsers.filter((parser) => {
    const sender = senderOf(parser, isProxy, callerOf);
    if (sender === undefined) return false;
    const count = (counts.get(sender) ?? 0) + 1;
    counts.set(sender, count);
    return count > most;
  });
}

/** A proxy opens connections in advance, and says with the head of a request whose it is. */
function senderOf({ incoming, socket }, isProxy, callerOf) {
  const peer = plainAddress(socket.remoteAddress ?? "");
  const address = (incoming && callerOf(incoming)) ?? peer;
  if (address === undefined || (address === peer && isProxy(peer))) return undefined;
  return networkOf(address, 4);
}

function refuse(socket) {
  if (socket._httpMessage?.headersSent) return void socket.destroy();
  socket.end(`${TOO_MANY.join("\r\n")}\r\n\r\n`, () => socket.destroy());
}
