import { Agent as PlainAgent, request as plainRequest } from "node:http";
import { Agent, request } from "node:https";

/** A response, or why there was none. */
export type Reply =
  | { status: number; headers: Record<string, string | string[] | undefined>; text: string }
  | { status: 0; failure: "refused" | "reset" | "timeout" };

export type Call = { path: string; method?: string; headers?: Record<string, string>; body?: string };

/** Sends requests and never throws: a lost connection is an outcome like any other. */
export type Client = { send(call: Call): Promise<Reply>; close(): void };

/** Longer than any server or balancer lets a client wait. */
const ANSWER_MS = 30_000;
/** Less than balancers and servers keep idle connections, so that none is closed under a request. */
const IDLE_MS = 4_000;

/**
 * A client of `origin`. With several `addresses` of this machine it is several clients to the server, by turns, so that
 * limits by address do not count them as one.
 */
export function openClient(origin: string, { ca, addresses = [] }: { ca?: string; addresses?: string[] } = {}): Client {
  const { protocol, hostname, port } = new URL(origin);
  const isTls = protocol === "https:";
  const options = { keepAlive: true, maxSockets: 2_000, timeout: IDLE_MS, ...(ca ? { ca } : {}) };
  const agent = isTls ? new Agent(options) : new PlainAgent(options);
  const open = isTls ? request : plainRequest;
  let turn = 0;

  function send({ path, method = "GET", headers = {}, body }: Call): Promise<Reply> {
    const localAddress = addresses[turn++ % Math.max(1, addresses.length)];
    const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
    return new Promise((resolve) => {
      const late = setTimeout(() => settle({ status: 0, failure: "timeout" }), ANSWER_MS);
      const settle = (reply: Reply) => {
        clearTimeout(late);
        resolve(reply);
        if (reply.status === 0) outgoing.destroy();
      };
      const outgoing = open(
        {
          agent,
          host: hostname,
          port,
          family: 4,
          path,
          method,
          headers: { ...length, ...headers },
          ...(localAddress ? { localAddress } : {}),
        },
        (incoming) => {
          let text = "";
          incoming.setEncoding("utf8");
          incoming.on("data", (chunk: string) => {
            text += chunk;
          });
          incoming.on("error", () => settle({ status: 0, failure: "reset" }));
          incoming.on("end", () => settle({ status: incoming.statusCode ?? 0, headers: incoming.headers, text }));
        },
      );
      outgoing.on("error", (error: NodeJS.ErrnoException) =>
        settle({ status: 0, failure: error.code === "ECONNREFUSED" ? "refused" : "reset" }),
      );
      outgoing.end(body);
    });
  }

  return { send, close: () => agent.destroy() };
}

const FORM = "application/x-www-form-urlencoded";

/** A form post, authenticated with Basic if there is a secret. */
export function formCall(
  path: string,
  fields: Record<string, string>,
  client?: { client_id: string; client_secret?: string },
): Call {
  const { client_id = "", client_secret } = client ?? {};
  const authorization =
    client_secret === undefined
      ? {}
      : { authorization: `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString("base64")}` };
  const own = client && client_secret === undefined ? { client_id } : {};
  const body = new URLSearchParams({ ...own, ...fields }).toString();
  return { path, method: "POST", headers: { "content-type": FORM, ...authorization }, body };
}
