import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage, type RequestOptions } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { BodyError, collect, isLoopbackAddress, isPrivateAddress, isPublicAddress, parseUrl } from "@gatehouse/runtime";
import { isLoopbackHost } from "@gatehouse/runtime/loopback";
import { type SpanFacts, tracing } from "@gatehouse/runtime/tracing";
import { type Address, createNameLookup, type NameLookup } from "./name-lookup.ts";
import { DOCUMENTS, STRANGER_NOTICES, TEAM_NOTICES } from "./pools.ts";
import { createRequestPool, type Place, type RequestPool, SlowUrl } from "./request-pool.ts";

/** Why a request failed or its response was rejected. For the failure ledger; callers never learn an address. */
export type OutboundProblem =
  | "url_not_allowed"
  | "address_not_public"
  | "unreachable"
  | "too_busy"
  | "timed_out"
  | "status_not_200"
  | "content_type_wrong"
  | "too_large";

/** The only error of outbound requests. */
export class OutboundError extends Error {
  override readonly name = "OutboundError";
  readonly problem: OutboundProblem;
  /** The same request may succeed soon, so it says nothing about the document. */
  readonly transient: boolean;

  constructor(problem: OutboundProblem, message: string, options?: ErrorOptions & { transient?: boolean }) {
    super(message, options);
    this.problem = problem;
    this.transient = options?.transient ?? TRANSIENT.includes(problem);
  }
}

const TRANSIENT: readonly OutboundProblem[] = ["unreachable", "too_busy", "timed_out"];

/** Limits of one request: response size in bytes, total time in milliseconds. */
export type Limits = { maxBytes: number; timeoutMs: number };
/**
 * Who named the URL: the team, or a self-described client; each has places of its own. `asker`: who causes the request,
 * a network or a client; askers take turns.
 */
export type Named = { namedBy: "team" | "stranger"; asker: string };
/** `accept`: media types (`application/json`) or suffixes (`+json`). */
export type DocumentLimits = Limits & Named & { accept: readonly string[] };
export type FetchedDocument = { text: string; headers: { cacheControl: string | undefined; age: string | undefined } };

/** Fetches a document by GET. Rejects with {@link OutboundError}. */
export type FetchDocument = (url: string, limits: DocumentLimits) => Promise<FetchedDocument>;
/** Posts a form and returns the status only. Rejects with {@link OutboundError}. */
export type PostForm = (url: string, form: URLSearchParams, limits: Limits & Named) => Promise<{ status: number }>;
/**
 * Sends GET, or POST if there is a body, to a URL that the team or a provider named, and returns the response of any
 * status and media type; its header names are in lower case. `signal` gives up earlier. Rejects with
 * {@link OutboundError}.
 */
export type FetchBytes = (
  url: string,
  limits: Limits & Outgoing,
) => Promise<{ status: number; headers: IncomingHttpHeaders; bytes: Uint8Array }>;

/**
 * Posts bytes to a URL that the team named, and returns the status as soon as there is one: the rest of the response is
 * discarded. Rejects with {@link OutboundError}.
 */
export type PostBytes = (
  url: string,
  request: Pick<Limits, "timeoutMs"> & {
    body: Uint8Array;
    headers: Readonly<Record<string, string>>;
    signal: AbortSignal;
  },
) => Promise<{ status: number }>;

export type OutboundOptions = {
  /** DNS lookup, for all requests; by default each pool has its own, which asks `nameServers`. */
  lookup?: NameLookup;
  /** `address:port` of the name servers; default those of the system. */
  nameServers?: readonly string[];
  /** Allows `http` and `https` to `localhost`, `127.0.0.1` and `[::1]`. Only for an issuer on loopback. */
  allowLoopback: boolean;
  /** Allows addresses of private networks as well, still over https. Default no. */
  allowPrivateNetwork?: boolean;
};

/** What to send: GET unless there is a body, which is a form if no header says otherwise. */
type Outgoing = {
  body?: string | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
  signal?: AbortSignal | undefined;
};

/**
 * Makes the functions for requests to URLs that clients and providers name (CI-05, DC-08). They allow https to public
 * addresses only, and connect to the addresses that were checked. No redirects, no cookies, no compression; total time
 * and size are limited.
 */
export function createOutbound({ lookup, nameServers, allowLoopback, allowPrivateNetwork = false }: OutboundOptions): {
  fetchDocument: FetchDocument;
  fetchBytes: FetchBytes;
  postBytes: PostBytes;
  postForm: PostForm;
} {
  const isReachable = (address: string) =>
    isPublicAddress(address) || (allowPrivateNetwork && isPrivateAddress(address));

  const newLookup = (maxConcurrent?: number) => lookup ?? createNameLookup({ servers: nameServers, maxConcurrent });
  const team: Place = { lookup: newLookup(), leave() {} };
  const documents = { team: undefined, stranger: createRequestPool(DOCUMENTS, newLookup) };
  const notices = {
    team: createRequestPool(TEAM_NOTICES, newLookup),
    stranger: createRequestPool(STRANGER_NOTICES, newLookup),
  };

  /** The time limit begins when the request has its place. */
  async function exchange<T>(sent: string, how: Exchange, read: (response: IncomingMessage) => Promise<T>): Promise<T> {
    const { limits, outgoing = {}, place = () => Promise.resolve(team) } = how;
    const { url, loopback } = readTarget(sent, allowLoopback);
    const { lookup, leave } = await place(url);
    const time = AbortSignal.timeout(limits.timeoutMs);
    const traced = tracing.current?.begin("outbound");
    let status: number | undefined;
    const signal = outgoing.signal ? AbortSignal.any([time, outgoing.signal]) : time;
    try {
      const addresses = await within(signal, resolve(url, loopback ? isLoopbackAddress : isReachable, lookup, signal));
      const response = await send(url, addresses, outgoing, signal);
      status = response.statusCode;
      const answer = await read(response);
      leave("answered");
      traced?.(...describe(url, outgoing, status));
      return answer;
    } catch (thrown) {
      leave(time.aborted ? "timed_out" : "failed");
      traced?.(...describe(url, outgoing, status), true);
      if (thrown instanceof OutboundError) throw thrown;
      if (time.aborted) throw new OutboundError("timed_out", `no complete response within ${limits.timeoutMs} ms`);
      throw new OutboundError("unreachable", "the connection failed", { cause: thrown });
    }
  }

  return {
    fetchDocument: (url, limits) =>
      exchange(url, { limits, place: placeIn(documents[limits.namedBy], limits) }, (response) =>
        readDocument(response, limits),
      ),
    fetchBytes: (url, { headers, body, signal, ...limits }) =>
      exchange(url, { limits, outgoing: { headers, body, signal } }, async (response) => ({
        status: response.statusCode ?? 0,
        headers: response.headers,
        bytes: await readBody(response, limits.maxBytes),
      })),
    postBytes: (url, { timeoutMs, ...outgoing }) =>
      exchange(url, { limits: { timeoutMs, maxBytes: 0 }, outgoing }, async (response) => {
        response.destroy();
        return { status: response.statusCode ?? 0 };
      }),
    postForm: (url, form, limits) =>
      exchange(
        url,
        { limits, outgoing: { body: form.toString() }, place: placeIn(notices[limits.namedBy], limits) },
        async (response) => {
          await readBody(response, limits.maxBytes);
          return { status: response.statusCode ?? 0 };
        },
      ),
  };
}

type Sent = Omit<Outgoing, "body"> & { body?: string | Uint8Array | undefined };
type Exchange = { limits: Limits; outgoing?: Sent; place?: ((url: URL) => Promise<Place>) | undefined };

/** How a request gets its place; undefined if it needs none. */
function placeIn(pool: RequestPool | undefined, { asker }: Named): Exchange["place"] {
  return (
    pool &&
    (async (url) => {
      try {
        return await pool.enter(url, asker);
      } catch (thrown) {
        if (thrown instanceof SlowUrl) throw new OutboundError("timed_out", thrown.message);
        throw new OutboundError("too_busy", "too many requests wait for their turn", { cause: thrown });
      }
    })
  );
}

/** Is this a URL that outbound requests allow, whatever its host resolves to? For checks at registration. */
export function isOutboundUrl(url: string, { allowLoopback }: Pick<OutboundOptions, "allowLoopback">): boolean {
  try {
    readTarget(url, allowLoopback);
    return true;
  } catch {
    return false;
  }
}

function readTarget(sent: string, allowLoopback: boolean): { url: URL; loopback: boolean } {
  const rejected = (why: string) => new OutboundError("url_not_allowed", why);
  const url = parseUrl(sent);
  if (!url) throw rejected("not a URL");
  const loopback = allowLoopback && isLoopbackHost(url.hostname);
  if (url.protocol !== "https:" && !(loopback && url.protocol === "http:")) throw rejected("not https");
  if (url.username !== "" || url.password !== "") throw rejected("credentials in the URL");
  return { url, loopback };
}

/** Resolves a host. Rejects it if any of its addresses is not allowed, because a connection could use that one. */
async function resolve(
  { hostname }: URL,
  isAllowed: (address: string) => boolean,
  lookup: NameLookup,
  signal: AbortSignal,
): Promise<Address[]> {
  const literal = hostname.replace(/^\[|\]$/g, "");
  const family = isIP(literal);
  const addresses = family === 0 ? await lookup(literal, signal) : [{ address: literal, family }];
  const wrong = addresses.find(({ address }) => !isAllowed(address));
  if (wrong || addresses.length === 0)
    throw new OutboundError("address_not_public", `resolves to ${wrong?.address ?? "nothing"}`);
  return addresses;
}

function within<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}

function send(url: URL, addresses: Address[], { body, headers }: Sent, signal: AbortSignal): Promise<IncomingMessage> {
  // Connects to the checked addresses instead of resolving again. The Host header and TLS still use the name.
  const pinned: LookupFunction = (_name, { all }, done) => {
    const [first = { address: "", family: 0 }] = addresses;
    return all ? done(null, addresses) : done(null, first.address, first.family);
  };
  const options: RequestOptions = {
    method: body === undefined ? "GET" : "POST",
    lookup: pinned,
    agent: false,
    signal,
    headers: {
      Accept: "application/json",
      "Accept-Encoding": "identity",
      "User-Agent": "gatehouse",
      ...(body !== undefined && {
        "Content-Type": "application/x-www-form-urlencoded",
        "Content-Length": Buffer.byteLength(body),
      }),
      ...headers,
    },
  };
  return new Promise((resolve, reject) => {
    const outgoing = (url.protocol === "https:" ? httpsRequest : httpRequest)(url, options, resolve);
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

async function readDocument(response: IncomingMessage, { maxBytes, accept }: DocumentLimits): Promise<FetchedDocument> {
  const reject = (problem: OutboundProblem, message: string, transient = false) => {
    response.destroy();
    return new OutboundError(problem, message, { transient });
  };
  const { statusCode = 0 } = response;
  if (statusCode !== 200)
    throw reject("status_not_200", `status ${statusCode}`, statusCode === 429 || statusCode >= 500);
  const {
    "content-type": contentType = "",
    "content-encoding": encoding = "identity",
    "cache-control": cacheControl,
    age,
  } = response.headers;
  const mediaType = contentType.split(";")[0]?.trim().toLowerCase() ?? "";
  const known = accept.some((type) => (type.startsWith("+") ? mediaType.endsWith(type) : mediaType === type));
  if (!known || encoding !== "identity")
    throw reject("content_type_wrong", `content type ${mediaType.slice(0, 80) || "missing"}, ${encoding}`);
  return { text: Buffer.from(await readBody(response, maxBytes)).toString("utf8"), headers: { cacheControl, age } };
}

async function readBody(response: IncomingMessage, maxBytes: number): Promise<Uint8Array> {
  try {
    return await collect(response, maxBytes);
  } catch (thrown) {
    response.destroy();
    if (thrown instanceof BodyError && thrown.problem === "too_large")
      throw new OutboundError("too_large", `more than ${maxBytes} bytes`);
    throw thrown;
  }
}

/** The server and how it answered: path, query, headers and bodies can have secrets. OP-76 */
function describe({ hostname }: URL, { body }: Sent, status: number | undefined): [name: string, facts: SpanFacts] {
  const method = body === undefined ? "GET" : "POST";
  const answered = status === undefined ? {} : { "http.response.status_code": status };
  return [`${method} ${hostname}`, { "http.request.method": method, "server.address": hostname, ...answered }];
}
