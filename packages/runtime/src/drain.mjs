import { Server } from "node:net";
import { setTimeout as pause, setImmediate as turn } from "node:timers/promises";

/**
 * A cluster's primary process holds the listening socket, and closes it this long after its workers have stopped
 * listening.
 */
const LISTENERS_CLOSE_MS = 50;
/** After a response, a client sends its next request within this time, or the connection counts as idle. */
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
  await turn(); // after a poll of the event loop, every waiting connection has been accepted
  const closed = Promise.all(servers.map(stopListening));
  // After `Connection: close` a client reconnects at once, and must not reach a listener that is about to close.
  await pause(LISTENERS_CLOSE_MS);
  for (const server of servers) announceClose(server);
  await Promise.race([closed, pause(IDLE_AFTER_MS, undefined, { ref: false })]);
  // Timers run before the event loop reads sockets, immediates after: with an immediate, a request that has arrived is
  // not missed.
  const sweep = setInterval(() => setImmediate(() => servers.forEach(closeIdle)), CLOSE_IDLE_EVERY_MS);

  await closed;
  clearInterval(sweep);
  clearTimeout(deadline);
  return !cut;
}

export function cutConnections(servers) {
  for (const server of servers) for (const socket of connectionsOf(server)) socket.destroy();
}

/**
 * Without this, Node sends `keep-alive` on a busy connection even when its server is closing, and serves its next
 * request.
 */
function announceClose(server) {
  const announce = (response) => {
    if (!response.headersSent) response.setHeader("Connection", "close");
  };
  server.prependListener("request", (_, response) => announce(response));
  for (const { _httpMessage: response } of connectionsOf(server)) if (response) announce(response);
}

/** `http.Server.close` without closing connections that are idle between two requests. */
function stopListening(server) {
  return new Promise((resolve) => Server.prototype.close.call(server, resolve));
}

/** Also closes connections that were opened in advance and never used: Node counts them as busy. */
function closeIdle(server) {
  server.closeIdleConnections();
  for (const socket of connectionsOf(server)) if (socket.bytesRead === 0) socket.destroy();
}

function connectionsOf(server) {
  return connections.get(server) ?? [];
}
