import type { Response as ExpressResponse } from "express";
import { NO_STORE } from "../cookies/response.ts";

/** Sends a response of the SDK. Cookies and `Vary` that the app has set stay. */
export async function sendWebResponse(response: Response, res: ExpressResponse): Promise<void> {
  res.status(response.status);
  for (const [name, value] of response.headers) {
    if (name === "vary") res.vary(value);
    else if (name !== "set-cookie") res.setHeader(name, value);
  }
  for (const cookie of response.headers.getSetCookie()) res.append("set-cookie", cookie);
  res.end(Buffer.from(await response.arrayBuffer()));
}

/**
 * Sends cookies with whatever the app responds. A response with a session in it must not be cached, whatever the app
 * says of it: hence at the last moment. PK-41.
 */
export function setCookiesOn(res: ExpressResponse, cookies: readonly string[]): void {
  if (cookies.length === 0) return;
  for (const cookie of cookies) res.append("set-cookie", cookie);
  const writeHead = res.writeHead.bind(res) as (...args: unknown[]) => ExpressResponse;
  res.writeHead = (...args: unknown[]) => {
    const [status, ...rest] = args;
    const own = rest.map((part) => (typeof part === "object" && part !== null ? withoutCaching(part) : part));
    res.setHeader("cache-control", NO_STORE["cache-control"]);
    return writeHead(status, ...own);
  };
}

function withoutCaching(headers: object): object {
  if (Array.isArray(headers)) return headers;
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() !== "cache-control"));
}
