import type { SendRequest } from "../context.ts";

/** What one page is asked with. Times are Unix seconds. */
export type Ask = {
  from: number;
  to: number;
  /** What the page before returned as `next`; null for the first. */
  page: string | null;
  apiKey: string;
  /** The endpoint's settings. */
  settings: Readonly<Record<string, unknown>>;
  request: SendRequest;
  signal: AbortSignal;
};

/** An event that the provider lists. `load` gives it in the form of a delivery, with the headers that identify it. */
export type ListedEvent = { id: string; load(): Promise<{ headers: Record<string, string>; body: string }> };

export type EventPage = { events: readonly ListedEvent[]; next: string | null };

/** How to ask one provider for the events of a period. */
export type Reconciler = {
  /** How long the provider keeps its list. */
  keepSeconds: number;
  /** The name of the setting without which the list cannot be found; undefined if none is needed. */
  needs?: string;
  listEvents(ask: Ask): Promise<EventPage>;
};

export const DAY_SECONDS = 86_400;

/** A setting that is text, or the default. */
export function settingOf({ settings }: Pick<Ask, "settings">, name: string): string | undefined {
  const value = settings[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}

export function urlOf(ask: Ask, base: string, path: string, query: Record<string, string | undefined>): string {
  const url = new URL(path, settingOf(ask, "apiBaseUrl") ?? base);
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value);
  return url.href;
}

/** RFC 3339, in UTC. */
export function timeOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}

/** Asks for JSON. Throws an error for an admin if the provider does not answer 200 with JSON. */
export async function askJson(
  { request, signal }: Ask,
  provider: string,
  url: string,
  options: { headers: Record<string, string>; body?: string },
): Promise<{ json: unknown; headers: Readonly<Record<string, string | string[] | undefined>> }> {
  const { status, text, headers } = await request(url, { ...options, signal });
  if (status === 401 || status === 403)
    throw new Error(`${provider} refused the API key (status ${status}). Give the endpoint a valid one.`);
  if (status !== 200) throw new Error(`${provider} answered ${status} when asked for its events.`);
  try {
    return { json: JSON.parse(text), headers };
  } catch {
    throw new Error(`${provider} answered with something that is not JSON when asked for its events.`);
  }
}

/** A member of parsed JSON; undefined if there is none. */
export function member(json: unknown, name: string): unknown {
  return typeof json === "object" && json !== null ? Reflect.get(json, name) : undefined;
}

/** The items of a list. Throws if there is none: an answer of another form must not read as "no events". */
export function itemsOf(json: unknown, provider: string): readonly unknown[] {
  if (!Array.isArray(json)) throw new Error(`${provider} answered without a list of events.`);
  return json;
}

export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** An event whose JSON in the list is the body of its webhook. Undefined without an id. */
export function listed(id: unknown, body: unknown, headers: Record<string, string> = {}): ListedEvent[] {
  const text = textOf(id);
  if (text === undefined) return [];
  const load = async () => ({
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  return [{ id: text, load }];
}
