import { type ClientRequest, type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";

/** A request as it goes on the wire: the path is sent byte for byte, which `fetch` would not do. */
export type Probe = { method: string; path: string; headers?: Record<string, string>; body?: string | Uint8Array };

export type Response = {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** The first 64 KiB as text. */
  text: string;
  /** Milliseconds between the first and the last piece of the body. */
  bodyMs: number;
  /** When the TLS certificate ends, Unix seconds; null over plain http. */
  certificateEndsAt: number | null;
};

/** What came back, or why nothing did. `tls`: the certificate was not accepted. */
export type Reply =
  | { kind: "response"; response: Response }
  | { kind: "failed"; problem: "refused" | "timeout" | "tls" | "reset"; message: string };

/** Sends one request to the origin, without following redirects. */
export type Send = (probe: Probe) => Promise<Reply>;

const TIMEOUT_MS = 10_000;
const MAX_TEXT_BYTES = 64 * 1024;

/** In: an origin such as `https://gate.example`. The function that it returns never rejects. */
export function sendTo(origin: string, timeoutMs = TIMEOUT_MS): Send {
  const { protocol, hostname, port } = new URL(origin);
  const start = protocol === "https:" ? requestHttps : requestHttp;

  return ({ method, path, headers = {}, body }) =>
    new Promise((resolve) => {
      const bytes = body === undefined ? undefined : Buffer.from(body);
      const length = bytes && { "content-length": String(bytes.length) };
      const sent: ClientRequest = start({
        hostname: hostname.replace(/^\[|\]$/g, ""),
        port,
        method,
        path,
        headers: { "user-agent": "gatehouse-doctor", connection: "close", ...length, ...headers },
        signal: AbortSignal.timeout(timeoutMs),
        agent: false, // a resumed TLS session shows no certificate
      });
      let answered = false;
      sent.on("response", (incoming) => {
        answered = true;
        read(incoming).then((response) => resolve({ kind: "response", response }), failed);
      });
      // A server may answer and close before it has read the whole body; its response counts then.
      const failed = (error: NodeJS.ErrnoException) =>
        resolve({ kind: "failed", problem: problemOf(error), message: error.message });
      sent.on("error", (error) => {
        if (!answered) failed(error);
      });
      sent.end(bytes);
    });
}

async function read(incoming: IncomingMessage): Promise<Response> {
  // The certificate is gone once the connection is closed.
  const certificateEndsAt = endOfCertificate(incoming);
  const chunks: Buffer[] = [];
  let length = 0;
  let [firstAt, lastAt] = [0, 0];
  for await (const chunk of incoming) {
    lastAt = performance.now();
    firstAt ||= lastAt;
    chunks.push(chunk);
    length += chunk.length;
    if (length >= MAX_TEXT_BYTES) break;
  }
  const text = Buffer.concat(chunks).subarray(0, MAX_TEXT_BYTES).toString();
  const bodyMs = lastAt - firstAt;
  return { status: incoming.statusCode ?? 0, headers: incoming.headers, text, bodyMs, certificateEndsAt };
}

/**
 * Whether the server of an https origin accepts TLS 1.0 or 1.1; undefined if no connection was made at all. Never
 * rejects.
 */
export function acceptsOldTls(origin: string, timeoutMs = TIMEOUT_MS): Promise<boolean | undefined> {
  const { hostname, port } = new URL(origin);
  const host = hostname.replace(/^\[|\]$/g, "");
  return new Promise((resolve) => {
    const socket = connectTls({
      host,
      port: Number(port || 443),
      ...(isIP(host) === 0 && { servername: host }),
      minVersion: "TLSv1",
      maxVersion: "TLSv1.1",
      ciphers: "DEFAULT@SECLEVEL=0", // OpenSSL offers these versions at no other level
      rejectUnauthorized: false, // nothing is sent
      timeout: timeoutMs,
    });
    let isConnected = false;
    socket.on("connect", () => {
      isConnected = true;
    });
    const end = (answer: boolean | undefined) => {
      socket.destroy();
      resolve(answer);
    };
    socket.on("secureConnect", () => end(true));
    socket.on("error", () => end(isConnected ? false : undefined));
    socket.on("timeout", () => end(undefined));
  });
}

function endOfCertificate({ socket }: IncomingMessage): number | null {
  if (!("getPeerCertificate" in socket)) return null;
  const end = Date.parse((socket as TLSSocket).getPeerCertificate().valid_to);
  return Number.isNaN(end) ? null : Math.floor(end / 1000);
}

function problemOf(error: NodeJS.ErrnoException): "refused" | "timeout" | "tls" | "reset" {
  const code = error.code ?? "";
  if (error.name === "AbortError" || error.name === "TimeoutError" || code === "ABORT_ERR" || code === "ETIMEDOUT")
    return "timeout";
  if (code === "ECONNRESET" || code === "EPIPE") return "reset";
  return /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/.test(code) ? "tls" : "refused";
}
