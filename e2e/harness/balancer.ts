import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";

/** Spreads requests over servers by turns, as a load balancer does: one that refuses the connection is passed over. */
export type Balancer = { close: () => Promise<void> };

export async function startBalancer(port: number, targets: readonly number[]): Promise<Balancer> {
  let turn = 0;
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      turn += 1;
      const order = targets.map((_, at) => targets[(turn + at) % targets.length] ?? 0);
      forward(incoming, outgoing, Buffer.concat(chunks), order);
    });
  });
  await new Promise<void>((ready) => server.listen(port, "localhost", ready));
  return {
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

function forward(
  { method, headers, url }: IncomingMessage,
  outgoing: ServerResponse,
  body: Buffer,
  [port, ...others]: readonly number[],
): void {
  const options = { agent: false, host: "localhost", port, path: url, method, headers } as const;
  const onward = httpRequest(options, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(outgoing);
  });
  onward.on("error", (error: NodeJS.ErrnoException) => {
    // Only what was never sent may be sent again.
    if (error.code === "ECONNREFUSED" && others.length > 0)
      forward({ method, headers, url } as IncomingMessage, outgoing, body, others);
    else outgoing.destroy(error);
  });
  onward.end(body);
}
