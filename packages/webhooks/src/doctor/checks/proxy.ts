import { networkInterfaces } from "node:os";
import { isPublicAddress } from "@gatehouse/runtime";
import {
  type Check,
  describe,
  failed,
  headerOf,
  jsonOf,
  ok,
  type SiteContext,
  skipped,
  type Verdict,
  warning,
  webhookPath,
} from "../check.ts";
import { interferenceOf } from "../interference.ts";
import { acceptsOldTls, type Response } from "../request.ts";

// What a proxy in front of the server must do; docs/operations.md has the same list. OP-05

/** The server tells its own doctor here what it sees of a request: one event at once, and another a second later. */
const MIRROR = "/api/doctor";
/** Far less than the second between the two events, and far more than a network adds. */
const BUFFERED_BELOW_MS = 500;

/** Of TEST-NET-1, which nobody has. RFC 5737, OP-16. */
const FORGED_ADDRESS = "192.0.2.77";
const FORGED_REQUEST_ID = "made-up-by-the-doctor";

const NO_PROOF = "Only the server itself can say it. Run gatehouse doctor on the server, or in the console.";

/** What the server saw of a request that claims an address and an id, or the verdict if it does not say. */
type Mirrored = Seen | { verdict: Verdict };
type Seen = { seen: Record<string, unknown>; response: Response };

const answers = new WeakMap<SiteContext, Promise<Mirrored>>();

/** One request serves all checks, since it takes a second. */
function ask(context: SiteContext): Promise<Mirrored> {
  const asked = answers.get(context) ?? mirror(context);
  answers.set(context, asked);
  return asked;
}

async function mirror({ send, proof }: SiteContext): Promise<Mirrored> {
  if (!proof) return { verdict: skipped(NO_PROOF) };
  const claims = { "x-forwarded-for": FORGED_ADDRESS, "x-request-id": FORGED_REQUEST_ID };
  const reply = await send({ method: "GET", path: MIRROR, headers: { ...proof, ...claims } });
  if (reply.kind === "failed")
    return {
      verdict: interferenceOf(reply) ?? failed(describe(reply), "There was no answer.", "Look at the proxy's log."),
    };
  const { response } = reply;
  const data = /^data: (.*)$/m.exec(response.text)?.[1];
  const seen = data === undefined ? undefined : jsonOf({ ...response, text: data });
  if (seen) return { seen, response };
  const verdict = failed(
    describe(reply),
    "The server does not recognize its own doctor.",
    "Run the doctor with the GATEHOUSE_SECRET of the server, compare the clocks, and let the proxy pass X-Gatehouse-Probe on.",
  );
  return { verdict: interferenceOf(reply) ?? verdict };
}

/** A check of what the server saw. */
const mirrorCheck = (id: string, title: string, judge: (mirrored: Seen) => Verdict): Check<SiteContext> => ({
  id,
  title,
  async run(context) {
    const answer = await ask(context);
    return "verdict" in answer ? answer.verdict : judge(answer);
  },
});

const isAddressRight = mirrorCheck(
  "caller_address",
  "The proxy replaces X-Forwarded-For, and the server believes only the proxy",
  ({ seen }) => {
    const address = String(seen["address"]);
    if (address === FORGED_ADDRESS)
      return failed(
        address,
        "The server believed an X-Forwarded-For that the doctor made up, so callers choose their address and no limit per address holds.",
        "Make the proxy replace X-Forwarded-For with the caller's address. Where nothing is in front of the server, unset GATEHOUSE_TRUST_PROXY.",
      );
    if (isPublicAddress(address) || isOwn(address))
      return ok(address, "The server knows the addresses of its callers.");
    return warning(
      address,
      "This is no public address, and none of this machine: probably the proxy's, and then all callers share its limits.",
      "Set GATEHOUSE_TRUST_PROXY=1 on the server, or list the proxies in GATEHOUSE_TRUSTED_PROXIES.",
    );
  },
);

const isOwn = (address: string) =>
  Object.values(networkInterfaces()).some((all) => all?.some((one) => one.address === address));

const isRequestIdReplaced = mirrorCheck("request_id", "The proxy replaces X-Request-Id", ({ seen }) => {
  if (seen["requestId"] !== FORGED_REQUEST_ID)
    return ok("another id", "Callers do not choose the id of their requests.");
  return warning(
    FORGED_REQUEST_ID,
    "The proxy passes on the X-Request-Id of a caller, who so chooses what stands in the audit log.",
    "Make the proxy set X-Request-Id, or delete it.",
  );
});

const areEventsPassedOn = mirrorCheck("events", "Events arrive one by one", ({ response: { bodyMs } }) => {
  if (bodyMs >= BUFFERED_BELOW_MS) return ok("two events, apart", "The proxy passes events on at once.");
  return failed(
    "two events, together",
    "The proxy buffers responses, so the streams of the console and of gatehouse tail show nothing until they end.",
    "Turn off buffering for responses of the type text/event-stream.",
  );
});

const KILOBYTE = 1_000;
/** Browsers send the cookies of a whole domain; the server reads 64 KiB of headers. */
const COOKIE_BYTES = 12 * KILOBYTE;

const areCookiesPassedOn: Check<SiteContext> = {
  id: "large_cookies",
  title: "12 KB of cookies arrive",
  async run({ send }) {
    const cookie = Array.from({ length: 4 }, (_, at) => `doctor${at}=${"x".repeat(COOKIE_BYTES / 4 - 10)}`).join("; ");
    const reply = await send({ method: "GET", path: "/healthz", headers: { cookie } });
    if (reply.kind === "response" && reply.response.status === 200)
      return ok("200", "Other sites' cookies lock nobody out.");
    return warning(
      describe(reply),
      "The proxy rejects requests with many cookies. Browsers send those of the whole domain, and their users then cannot sign in.",
      "Let the proxy read at least 16 KiB of headers; the server itself reads 64 KiB.",
    );
  },
};

const LARGE_BODY_BYTES = 900 * KILOBYTE;
const TOO_LARGE_BODY_BYTES = 1_100 * KILOBYTE;

const areBodiesLimited: Check<SiteContext> = {
  id: "body_limit",
  title: "Bodies of 900 KB pass, and larger ones than 1 MiB do not",
  async run({ send }) {
    const post = (bytes: number) =>
      send({
        method: "POST",
        path: webhookPath("gatehouse-doctor-unknown"),
        headers: { "content-type": "application/json" },
        body: `{"x":"${"x".repeat(bytes)}"}`,
      });
    const large = await post(LARGE_BODY_BYTES);
    if (large.kind === "failed" || large.response.status === 413)
      return failed(
        `${describe(large)} for ${LARGE_BODY_BYTES / KILOBYTE} KB`,
        "Something refuses bodies that Gatehouse accepts, so large webhook events are lost.",
        "Raise the proxy's limit for bodies to 1 MiB.",
      );
    const tooLarge = await post(TOO_LARGE_BODY_BYTES);
    if (tooLarge.kind === "failed" || tooLarge.response.status >= 400)
      return ok(describe(tooLarge), "Bodies above 1 MiB go nowhere.");
    return skipped("Something else than Gatehouse answers.");
  },
};

const isOldTlsRefused: Check<SiteContext> = {
  id: "old_tls",
  title: "TLS 1.0 and 1.1 are refused",
  async run({ origin }) {
    if (!origin.startsWith("https:")) return skipped("The server runs on plain http.");
    const accepts = await acceptsOldTls(origin);
    if (accepts === undefined) return skipped("No connection was made to try it.");
    if (!accepts) return ok("refused", "Only TLS 1.2 and later are spoken.");
    return failed(
      "accepted",
      "TLS 1.0 or 1.1 is accepted; both are broken and forbidden. RFC 8996.",
      "Set the lowest version in the proxy to TLS 1.2.",
    );
  },
};

const isPlainHttpRefused: Check<SiteContext> = {
  id: "plain_pages",
  title: "http:// redirects those who read, and refuses those who write",
  async run({ origin, sendPlain }) {
    if (!sendPlain) return skipped("The server runs on plain http, or on a port of its own.");
    const read = await sendPlain({ method: "GET", path: "/sign-in" });
    if (read.kind === "failed") return ok("no answer", "Nothing answers on plain http.");
    const location = headerOf(read.response, "location") ?? "";
    if (read.response.status < 300)
      return failed(
        describe(read),
        "Pages are served over plain http, where others can read passwords and change pages.",
        "Redirect http to https in the proxy.",
      );
    if (location !== "" && !location.startsWith(`${origin}/`))
      return warning(
        describe(read),
        "Plain http redirects elsewhere than to the issuer.",
        `Redirect http to ${origin} in the proxy.`,
      );
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const write = await sendPlain({ method: "POST", path: "/token", headers, body: "grant_type=none" });
    if (write.kind === "failed" || write.response.status < 300 || write.response.status >= 400)
      return ok(describe(read), "A client that is set to http finds out at once.");
    return warning(
      describe(write),
      "A POST over plain http is redirected: the client sends its secrets in the clear, works, and nobody notices.",
      "Redirect GET and HEAD alone in the proxy, and refuse other methods.",
    );
  },
};

/** What is examined once of what stands in front of the server, in the order of the report. */
export const PROXY_CHECKS: readonly Check<SiteContext>[] = [
  isAddressRight,
  isRequestIdReplaced,
  areEventsPassedOn,
  areCookiesPassedOn,
  areBodiesLimited,
  isOldTlsRefused,
  isPlainHttpRefused,
];
