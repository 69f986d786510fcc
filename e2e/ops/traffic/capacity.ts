import type { Call, Client } from "./client.ts";

/** Requests a second that a server answers when so many connections each send the next one as soon as they can. */
export async function peakOf(client: Client, seconds: number, call: () => Call, connections = 32): Promise<number> {
  const until = performance.now() + seconds * 1_000;
  let answered = 0;
  const callers = Array.from({ length: connections }, async () => {
    while (performance.now() < until) {
      const { status } = await client.send(call());
      if (status >= 200 && status < 300) answered += 1;
    }
  });
  await Promise.all(callers);
  return answered / seconds;
}
