import { request as httpRequest, type IncomingMessage, type RequestOptions } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { type Address, createNameLookup, type NameLookup } from "./name-lookup.ts";
import { isLoopbackAddress, isPublicAddress } from "./special-addresses.ts";

/** Why nothing was fetched or what came is not taken. For the ledger; an address is never told to a caller. */
export type OutboundProblem =
  | "url_not_allowed"
  | "address_not_public"
  | "unreachable"
  | "timed_out"
  | "status_not_200"
  | "content_type_wrong"
  | "too_large";

export class OutboundError extends Error {
  override readonly name = "OutboundError";
  readonly problem: OutboundProblem;

  constructor(problem: OutboundProblem, message: string, options?: ErrorOptions) {
    super(message, options);
    this.problem = problem;
  }
}

export type Limits = { maxBytes: number; timeoutMs: number };
/** `accept`: media types, `application/json`, or suffixes of them, `+json`. */
export type DocumentLimits = Limits & { accept: readonly string[] };
export type FetchedDocument = { text: string; headers: { cacheControl: string | undefined; age: string | undefined } };

export type FetchDocument = (url: string, limits: DocumentLimits) => Promise<FetchedDocument>;
/** Sends a form and answers with the status alone. */
export type PostForm = (url: string, form: URLSearchParams, limits: Limits) => Promise<{ status: number }>;

export type OutboundOptions = {
  /** Every address of a name; the name servers of the system by default. */
  lookup?: NameLookup;
  /** For an issuer on loopback only: `http` and `https` to `localhost`, `127.0.0.1` and `[::1]`. */
  allowLoopback: boolean;
};

/**
 * The one way out to URLs that clients name (CI-05, DC-08): https only, to public addresses only, and the connection goes to
 * the very addresses that were checked. No redirects, no credentials, no compression; time and size are bounded in all.
 * Every failure is an {@link OutboundError}.
 */
export function createOutbound({ lookup = createNameLookup(), allowLoopback }: OutboundOptions): {
  fetchDocument: FetchDocument;
  postForm: PostForm;
} {
  async function exchange<T>(sent: string, limits: Limits, body: string | undefined, read: (answer: IncomingMessage) => Promise<T>) {
    const { url, loopback } = readTarget(sent, allowLoopback);
    const signal = AbortSignal.timeout(limits.timeoutMs);
    try {
      const addresses = await within(signal, resolve(url, loopback, lookup, signal));
      return await read(await send(url, addresses, body, signal));
    } catch (thrown) {
      if (thrown instanceof OutboundError) throw thrown;
      if (signal.aborted) throw new OutboundError("timed_out", `no whole answer within ${limits.timeoutMs} ms`);
      throw new OutboundError("unreachable", "no connection, or it broke", { cause: thrown });
    }
  }

  return {
    fetchDocument: (url, limits) => exchange(url, limits, undefined, (answer) => readDocument(answer, limits)),
    postForm: (url, form, limits) =>
      exchange(url, limits, form.toString(), async (answer) => {
        await readBody(answer, limits.maxBytes);
        return { status: answer.statusCode ?? 0 };
      }),
  };
}

/** May this URL be called at all, whatever its name resolves to? For checks at registration. */
export function isOutboundUrl(url: string, { allowLoopback }: Pick<OutboundOptions, "allowLoopback">): boolean {
  try {
    readTarget(url, allowLoopback);
    return true;
  } catch {
    return false;
  }
}

const LOOPBACK_HOSTS = ["localhost", "127.0.0.1", "[::1]"];

function readTarget(sent: string, allowLoopback: boolean): { url: URL; loopback: boolean } {
  const refused = (why: string) => new OutboundError("url_not_allowed", why);
  if (!URL.canParse(sent)) throw refused("not a URL");
  const url = new URL(sent);
  const loopback = allowLoopback && LOOPBACK_HOSTS.includes(url.hostname);
  if (url.protocol !== "https:" && !(loopback && url.protocol === "http:")) throw refused("not https");
  if (url.username !== "" || url.password !== "") throw refused("credentials in the URL");
  return { url, loopback };
}

/** All addresses, each of them allowed: one that is not spoils the name, or the next connection might get it. */
async function resolve({ hostname }: URL, loopback: boolean, lookup: NameLookup, signal: AbortSignal): Promise<Address[]> {
  const literal = hostname.replace(/^\[|\]$/g, "");
  const family = isIP(literal);
  const addresses = family === 0 ? await lookup(literal, signal) : [{ address: literal, family }];
  const allowed = loopback ? isLoopbackAddress : isPublicAddress;
  const wrong = addresses.find(({ address }) => !allowed(address));
  if (wrong || addresses.length === 0) throw new OutboundError("address_not_public", `resolves to ${wrong?.address ?? "nothing"}`);
  return addresses;
}

function within<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}

function send(url: URL, addresses: Address[], body: string | undefined, signal: AbortSignal): Promise<IncomingMessage> {
  // The name is resolved once: what was checked is what is connected to. The Host header and TLS still carry the name.
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
      ...(body !== undefined && { "Content-Type": "application/x-www-form-urlencoded", "Content-Length": Buffer.byteLength(body) }),
    },
  };
  return new Promise((resolve, reject) => {
    const outgoing = (url.protocol === "https:" ? httpsRequest : httpRequest)(url, options, resolve);
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

async function readDocument(answer: IncomingMessage, { maxBytes, accept }: DocumentLimits): Promise<FetchedDocument> {
  const refuse = (problem: OutboundProblem, message: string) => {
    answer.destroy();
    return new OutboundError(problem, message);
  };
  if (answer.statusCode !== 200) throw refuse("status_not_200", `answered ${answer.statusCode}`);
  const {
    "content-type": contentType = "",
    "content-encoding": encoding = "identity",
    "cache-control": cacheControl,
    age,
  } = answer.headers;
  const type = contentType.split(";")[0]?.trim().toLowerCase() ?? "";
  const known = accept.some((one) => (one.startsWith("+") ? type.endsWith(one) : type === one));
  if (!known || encoding !== "identity") throw refuse("content_type_wrong", `content type ${type.slice(0, 80) || "missing"}, ${encoding}`);
  return { text: await readBody(answer, maxBytes), headers: { cacheControl, age } };
}

async function readBody(answer: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of answer) {
    length += chunk.length;
    if (length > maxBytes) {
      answer.destroy();
      throw new OutboundError("too_large", `more than ${maxBytes} bytes`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
