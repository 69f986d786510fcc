import { request as send } from "node:http";
import { text } from "node:stream/consumers";
import type { Running, Subject } from "./subject.ts";
import { type HttpRequest, type Traffic, takeFirst } from "./traffic.ts";
import type { Workload } from "./workloads.ts";

/** Sends the workload's request once, and throws if the response is not the expected one. */
export async function preflight(subject: Subject, running: Running, workload: Workload, traffic: Traffic): Promise<void> {
  const { status, body } = await ask(running.port, takeFirst(traffic));
  if (status === workload.status && workload.holds(parse(body))) return;
  throw new Error(`${subject.title} answers "${workload.title}" with ${status}, and not as it should:\n${body.slice(0, 1000)}`);
}

function ask(port: number, { method, path, headers, body }: HttpRequest): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const length = method === "POST" ? { "Content-Length": Buffer.byteLength(body) } : {};
    const request = send({ host: "127.0.0.1", port, method, path, headers: { ...headers, ...length }, agent: false }, (response) => {
      text(response).then((answer) => resolve({ status: response.statusCode ?? 0, body: answer }), reject);
    });
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
