import { cookies, headers } from "next/headers";
import { NextResponse } from "next/server";
import type { Incoming } from "../core.ts";
import { GatehouseError } from "../error.ts";

/** The request that Next answers, as far as Next shows it to pages, handlers and Actions. */
export type CurrentRequest = {
  request: Pick<Incoming, "method" | "headers">;
  /** False while a page renders. */
  canSetCookies: boolean;
  /** Does nothing while a page renders. */
  setCookies(values: readonly string[]): void;
};

type Store = Awaited<ReturnType<typeof cookies>>;

/** By the object that Next has for a request's headers: the session is read once for a request. PK-37. */
const requests = new WeakMap<object, CurrentRequest["request"]>();
const sent = new WeakSet<readonly string[]>();

/** Has to run before anything that reads the clock or needs randomness, or Next could not prerender around it. PK-45. */
export async function currentRequest(): Promise<CurrentRequest> {
  const [store, received] = await readRequest();
  const request = requests.get(received) ?? asRequest(store, received);
  requests.set(received, request);
  const canSetCookies = isOfResponse(store);
  return {
    request,
    canSetCookies,
    setCookies(values) {
      if (!canSetCookies || sent.has(values)) return;
      sent.add(values);
      for (const cookie of parsed(values)) store.set(cookie);
    },
  };
}

/** A page gets the cookies of its request, which have a size; handlers and Actions get those of their response. */
const isOfResponse = (store: object): boolean => !("size" in store);

async function readRequest(): Promise<[Store, Awaited<ReturnType<typeof headers>>]> {
  try {
    return [await cookies(), await headers()];
  } catch (error) {
    if (isControlFlow(error)) throw error;
    throw new GatehouseError("configuration", NO_REQUEST, { cause: error });
  }
}

const NO_REQUEST =
  'There is no request to read the session from. Next allows no cookies inside "use cache", unstable_cache, or outside a ' +
  "request: call auth() in the page, layout, handler or Action, and pass what the cached function needs as an argument.";

/** Next ends a prerender with errors that have a digest, and with promises that never settle. They have to reach it. */
function isControlFlow(error: unknown): boolean {
  return typeof error === "object" && error !== null && "digest" in error;
}

/** With the cookies that the proxy has just set, which only the store has. */
function asRequest(store: Store, received: Headers): CurrentRequest["request"] {
  const all = new Headers(received);
  all.set(
    "cookie",
    store
      .getAll()
      .map(({ name, value }) => `${name}=${value}`)
      .join("; "),
  );
  return { method: methodOf(received), headers: all };
}

/**
 * Next does not show the method. Browsers send `Origin` with every unsafe request, and a request with a body is treated
 * as one, so that no other site can make it with the session cookie. PK-54.
 */
function methodOf(received: Headers): "GET" | "POST" {
  const isUnsafe = ["next-action", "origin", "content-type", "transfer-encoding"].some((name) => received.has(name));
  return isUnsafe ? "POST" : "GET";
}

/** Next's own parser. It drops an empty value and `Max-Age=0`, so that a deleted cookie gets a date. */
export function parsed(values: readonly string[]) {
  const { cookies: parser } = new NextResponse(null, { headers: values.map((value) => ["set-cookie", value]) });
  return parser.getAll().map((cookie) => (cookie.value ? cookie : { ...cookie, value: "", expires: new Date(0) }));
}
