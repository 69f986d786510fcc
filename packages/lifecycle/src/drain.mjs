import { Server } from "node:net";
import { setTimeout as pause, setImmediate as turn } from "node:timers/promises";

/** A cluster's first process holds the listening socket, and closes it this long after its workers have stopped listening. */
const LISTENERS_CLOSE_MS = 50;
/** A client that has just been answered sends its next request within this time, or leaves the connection idle. */
const IDLE_AFTER_MS = 500;
const CLOSE_IDLE_EVERY_MS = 100;

const connections = new WeakMap();

export function trackConnections(server) {
  const open = new Set();
  connections.set(server, open);
  server.on("connection", (socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  });
}

export async function drain(servers, { drainSeconds, stopSeconds }) {
  let cut = false;
  const deadline = setTimeout(() => {
    cut = true;
    cutConnections(servers);
  }, stopSeconds * 1000);

  await pause(drainSeconds * 1000);
  await turn(); // after a poll of the event loop: it has accepted every connection that was waiting
  const closed = Promise.all(servers.map(stopListening));
  // A client that is told to close opens its next connection at once, and must not find a listener that is about to go.
  await pause(LISTENERS_CLOSE_MS);
  for (const server of servers) announceClose(server);
  await Promise.race([closed, pause(IDLE_AFTER_MS, undefined, { ref: false })]);
  // Timers run before the event loop reads its sockets, immediates after: a request that has arrived is never taken for silence.
  const sweep = setInterval(() => setImmediate(() => servers.forEach(closeIdle)), CLOSE_IDLE_EVERY_MS);

  await closed;
  clearInterval(sweep);
  clearTimeout(deadline);
  return !cut;
}

export function cutConnections(servers) {
  for (const server of servers) for (const socket of connectionsOf(server)) socket.destroy();
}

/** Node answers `keep-alive` on a busy connection even when its server is closing, and serves its next request. */
function announceClose(server) {
  const announce = (response) => {
    if (!response.headersSent) response.setHeader("Connection", "close");
  };
  server.prependListener("request", (_, response) => announce(response));
  for (const { _httpMessage: underWay } of connectionsOf(server)) if (underWay) announce(underWay);
}

/** What `http.Server.close` does, without closing connections that are idle at this very moment between two requests. */
function stopListening(server) {
  return new Promise((resolve) => Server.prototype.close.call(server, resolve));
}

/** Idle are also connections that were opened ahead, and never sent anything: Node counts them as busy. */
function closeIdle(server) {
  server.closeIdleConnections();
  for (const socket of connectionsOf(server)) if (socket.bytesRead === 0) socket.destroy();
}

function connectionsOf(server) {
  return connections.get(server) ?? [];
}
