import { request as send } from "node:http";
import { text } from "node:stream/consumers";
import { type HttpRequest, type Traffic, takeFirst } from "./traffic.ts";
import type { Workload } from "./workloads.ts";

/** Sends one request of each kind, and throws if a response is not the expected one. */
export async function preflight(title: string, port: number, workload: Workload, traffic: Traffic): Promise<void> {
  for (const request of takeFirst(traffic)) {
    const { status, body } = await ask(port, request);
    if (status === workload.status && workload.holds(parse(body))) continue;
    throw new Error(
      `${title} answers ${request.path} of "${workload.title}" with ${status}, not as expected:\n${body.slice(0, 1000)}`,
    );
  }
}

/** Has the server render a page, as every real one has before long: what it loads for that stays. */
export async function renderPage(title: string, port: number, path: string | undefined): Promise<void> {
  if (path === undefined) return;
  const { status, body } = await ask(port, { method: "GET", path, headers: {}, body: "" });
  if (status !== 200)
    throw new Error(`${title} answers ${path} with ${status} before the measurement:\n${body.slice(0, 1000)}`);
}

function ask(port: number, { method, path, headers, body }: HttpRequest): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const length = method === "POST" ? { "Content-Length": Buffer.byteLength(body) } : {};
    const request = send(
      { host: "127.0.0.1", port, method, path, headers: { ...headers, ...length }, agent: false },
      (response) => {
        text(response).then((answer) => resolve({ status: response.statusCode ?? 0, body: answer }), reject);
      },
    );
    request.once("error", reject);
    request.end(body);
  });
}

function parse(body: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
