import type { Endpoint } from "../http/endpoint.ts";
import type { Scene } from "./scene.ts";

export type Parameters = Record<string, string> | [string, string][];

/** The `Authorization` header of HTTP Basic, both halves form-encoded as RFC 6749 §2.3.1 asks. */
export function basic(clientId: string, secret: string): { authorization: string } {
  const encode = (half: string) => encodeURIComponent(half).replaceAll("%20", "+");
  return { authorization: `Basic ${Buffer.from(`${encode(clientId)}:${encode(secret)}`).toString("base64")}` };
}

/** A form post as a client sends it. */
export function formRequest(parameters: Parameters, headers: Record<string, string> = {}): Request {
  return new Request("https://gate.example/endpoint", {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    body: new URLSearchParams(parameters).toString(),
  });
}

/** An answer, read. */
export type Answer = { status: number; headers: Headers; text: string; body: Record<string, unknown> };

export async function read(response: Response): Promise<Answer> {
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: text === "" ? {} : JSON.parse(text) };
}

/** Posts a form to an endpoint of the scene and reads the answer. */
export async function post(
  scene: Scene,
  endpoint: Endpoint,
  parameters: Parameters,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return read(await endpoint(formRequest(parameters, headers), scene.deps, scene.caller));
}

/** The text at `name` of an answer; fails the test when it is not there. */
export function textAt(answer: Answer, name: string): string {
  const value = answer.body[name];
  if (typeof value !== "string") throw new Error(`no ${name} in ${answer.status} ${answer.text}`);
  return value;
}
