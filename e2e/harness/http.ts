import { randomInt } from "node:crypto";
import { Agent as ConnectionPool, request as httpRequest } from "node:http";
import { request as httpsRequest, Agent as SecureConnectionPool } from "node:https";

/** A response with its complete body. */
export type Answer = {
  url: string;
  status: number;
  headers: Headers;
  /** The `Set-Cookie` lines, because `Headers` joins them. */
  setCookies: string[];
  body: Buffer;
  text: string;
};

/** A list sends the header several times, undefined omits it. */
export type HeaderFields = Record<string, string | string[] | undefined>;

export type Send = {
  method?: string;
  headers?: HeaderFields;
  body?: string | Buffer | undefined;
};

/**
 * Closes idle connections before a server does, after five seconds: one that it closes while a request is on its way
 * fails with ECONNRESET.
 */
const pool = new ConnectionPool({ keepAlive: true, maxSockets: 64, timeout: 4_000 });

let securePool = new SecureConnectionPool({ keepAlive: true, maxSockets: 64, timeout: 4_000 });

/** From now on, requests to https origins accept certificates that this one signed. PEM. */
export function trust(certificate: string): void {
  securePool = new SecureConnectionPool({ keepAlive: true, maxSockets: 64, timeout: 4_000, ca: certificate });
}

let ownAddress = newAddress();

/**
 * Sends further requests from another address. Each test file has one, so that rate limits of one file never affect
 * another.
 */
export function renewAddress(): void {
  ownAddress = newAddress();
}

function newAddress(): string {
  return `10.${randomInt(1, 255)}.${randomInt(1, 255)}.${randomInt(1, 255)}`;
}

/**
 * Sends exactly what it is given: `fetch` normalises the path, joins repeated headers and follows redirects.
 * `path` is appended to `origin` unchanged.
 */
export function send(origin: string, path: string, { method = "GET", headers = {}, body }: Send = {}): Promise<Answer> {
  const { protocol, hostname, port } = new URL(origin);
  const [request, agent] = protocol === "https:" ? [httpsRequest, securePool] : [httpRequest, pool];
  const sent = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined));
  const length =
    body === undefined || sent["transfer-encoding"] !== undefined
      ? {}
      : { "content-length": String(Buffer.byteLength(body)) };
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { agent, hostname, port, path, method, headers: { "x-forwarded-for": ownAddress, ...length, ...sent } },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
        incoming.on("error", reject);
        incoming.on("end", () => {
          const raw = Buffer.concat(chunks);
          // In every test: no input may cause a 500.
          if (incoming.statusCode === 500)
            return reject(new Error(`${method} ${path} broke the server: ${raw.toString("utf8").slice(0, 500)}`));
          const answered = new Headers();
          for (let at = 0; at < incoming.rawHeaders.length; at += 2) {
            answered.append(incoming.rawHeaders[at] ?? "", incoming.rawHeaders[at + 1] ?? "");
          }
          resolve({
            url: origin + path,
            status: incoming.statusCode ?? 0,
            headers: answered,
            setCookies: incoming.headers["set-cookie"] ?? [],
            body: raw,
            text: raw.toString("utf8"),
          });
        });
      },
    );
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

export type Fields = Record<string, string | string[] | undefined>;

/** `application/x-www-form-urlencoded`; a list repeats the name, undefined omits it. */
export function encodeForm(fields: Fields): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    for (const one of value === undefined ? [] : [value].flat()) params.append(name, one);
  }
  return params.toString();
}

/** Posts a form the way a client's HTTP library does. */
export function postForm(
  origin: string,
  path: string,
  fields: Fields | string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return send(origin, path, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    body: typeof fields === "string" ? fields : encodeForm(fields),
  });
}

/** The body as a JSON object; fails the test if it is not one. */
export function json(answer: Answer): Record<string, unknown> {
  const value: unknown = JSON.parse(answer.text);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Error(`not a JSON object: ${answer.text}`);
  return value as Record<string, unknown>;
}

/** A member of a JSON response that must be a string. */
export function textOf(answer: Answer, name: string): string {
  const value = json(answer)[name];
  if (typeof value !== "string") throw new Error(`no ${name} in ${answer.status} ${answer.text}`);
  return value;
}
