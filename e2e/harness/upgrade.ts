import { connect } from "node:net";

/** As Java's HTTP client sends it by default, and as a browser opens a WebSocket. */
const UPGRADES = {
  h2c: ["Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA"],
  websocket: [
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
  ],
} as const;

/**
 * The statuses of three requests on one connection: a GET that asks for another protocol, a plain GET, and a POST that
 * asks too. Fewer if the server closes the connection.
 */
export async function askToUpgrade(port: number, path: string, protocol: keyof typeof UPGRADES): Promise<number[]> {
  const upgrade = UPGRADES[protocol];
  const head = (method: string, headers: readonly string[]) =>
    `${[`${method} ${path} HTTP/1.1`, `Host: localhost:${port}`, ...headers].join("\r\n")}\r\n\r\n`;
  const requests = [head("GET", upgrade), head("GET", []), `${head("POST", [...upgrade, "Content-Length: 2"])}{}`];

  const socket = connect(port, "localhost").setEncoding("utf8");
  let received = "";
  const statuses = () => [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
  return new Promise((resolve) => {
    const next = () => socket.write(requests[statuses().length] ?? "");
    socket.on("connect", next);
    socket.on("data", (text) => {
      const before = statuses().length;
      received += text;
      if (statuses().length === requests.length) socket.destroy();
      else if (statuses().length > before) next();
    });
    socket.on("error", () => socket.destroy()).on("close", () => resolve(statuses()));
  });
}
