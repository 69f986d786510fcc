import {
  type Check,
  describe,
  type EndpointContext,
  failed,
  headerOf,
  jsonOf,
  ok,
  skipped,
  type Verdict,
  warning,
  webhookPath,
} from "../check.ts";
import { interferenceOf } from "../interference.ts";
import type { Probe, Reply } from "../request.ts";

const MEBIBYTE = 1024 * 1024;

/** An unsigned request. */
const unsigned = ({ endpoint }: EndpointContext, { headers, ...change }: Partial<Probe> = {}): Probe => ({
  method: "POST",
  path: webhookPath(endpoint.slug),
  headers: { "content-type": endpoint.contentType, ...endpoint.headers, ...headers },
  body: "{}",
  ...change,
});

/** What the receiver said: its reason, or the status. */
function reasonOf(reply: Reply): string {
  const reason = reply.kind === "response" ? jsonOf(reply.response)?.["reason"] : undefined;
  return typeof reason === "string" ? reason : describe(reply);
}

const statusOf = (reply: Reply) => (reply.kind === "response" ? reply.response.status : 0);

/** The verdict of a check that expects one status. */
function expectStatus(reply: Reply, status: number, confirmed: string, fix: string): Verdict {
  if (statusOf(reply) === status) return ok(String(status), confirmed);
  return interferenceOf(reply) ?? failed(describe(reply), `${status} was expected.`, fix);
}

const NEWER = "Check that this address leads to Gatehouse, and that its version is current.";

const isUnsignedRefused: Check<EndpointContext> = {
  id: "unsigned",
  title: "A delivery without a signature gets 400",
  async run(context) {
    const reply = await context.send(unsigned(context));
    if (reasonOf(reply) === "provider_disabled")
      return warning(
        "404",
        "The endpoint is disabled, so its provider's deliveries are lost.",
        "Enable it in the console, under Webhook providers.",
      );
    if (reasonOf(reply) === "provider_unknown")
      return failed(
        "404",
        "Gatehouse knows no endpoint of this name.",
        "Check the last segment of the URL, or create the endpoint.",
      );
    return expectStatus(reply, 400, "Unsigned deliveries reach the receiver, and are rejected.", NEWER);
  },
};

const isForgedRefused: Check<EndpointContext> = {
  id: "forged",
  title: "A delivery with a wrong signature is rejected",
  async run(context) {
    const { forge, provider } = context.endpoint;
    if (!forge) return skipped(`Only ${provider} can sign its deliveries.`);
    const reply = await context.send(unsigned(context, forge()));
    const reason = reasonOf(reply);
    if (reason === "signature_mismatch") return ok(String(statusOf(reply)), "Forged deliveries are rejected.");
    if (statusOf(reply) === 200)
      return failed(
        "200",
        "A forged delivery was accepted.",
        "Rotate the signing secret at once: it is one that anybody can guess.",
      );
    if (reason === "secret_not_configured" && context.endpoint.isConfigured === false)
      return skipped("No webhook endpoint is configured yet.");
    if (reason === "secret_not_configured")
      return failed(
        "503",
        "No signing secret is configured, so every delivery is rejected until there is one.",
        `Add the signing secret of ${provider} in the console, or with gatehouse webhook-secret add.`,
      );
    if (reason === "secret_unreadable")
      return failed(
        "503",
        "The signing secrets were encrypted with another GATEHOUSE_SECRET.",
        "Set GATEHOUSE_SECRET back, or add the same signing secrets again.",
      );
    return (
      interferenceOf(reply) ??
      failed(describe(reply), "A forged delivery should get 400 with the reason signature_mismatch.", NEWER)
    );
  },
};

const isLargeRefused: Check<EndpointContext> = {
  id: "oversize",
  title: "A body of more than 1 MiB gets 413",
  async run(context) {
    const reply = await context.send(unsigned(context, { body: "x".repeat(MEBIBYTE + 1) }));
    if (statusOf(reply) === 502)
      return warning(
        "502",
        "The proxy rejects oversized bodies as if the server were gone, so providers repeat such a delivery for days.",
        "Caddy before 2.7 does this: use a later one.",
      );
    // A proxy with a limit of its own answers 413 too, which is fine.
    return expectStatus(
      reply,
      413,
      "Oversized bodies are rejected.",
      "A proxy in front cuts or changes large bodies. Let bodies of up to 1 MiB pass unchanged.",
    );
  },
};

const isGetRefused: Check<EndpointContext> = {
  id: "method",
  title: "GET gets 405",
  async run(context) {
    const reply = await context.send({
      method: "GET",
      path: webhookPath(context.endpoint.slug),
      headers: context.endpoint.headers ?? {},
    });
    return expectStatus(reply, 405, "Only POST is accepted.", NEWER);
  },
};

const areSlashesIgnored: Check<EndpointContext> = {
  id: "trailing_slash",
  title: "A slash at the end does not redirect",
  async run(context) {
    const path = `${webhookPath(context.endpoint.slug)}/`;
    return expectStatus(
      await context.send(unsigned(context, { path })),
      400,
      "The URL works with and without a slash at the end.",
      "Turn off the redirect of trailing slashes for /api/webhooks in the proxy.",
    );
  },
};

/**
 * Other spellings of the path may be refused or served. A redirect affects only providers that were given such a URL.
 */
const otherSpelling = (id: string, title: string, pathOf: (slug: string) => string): Check<EndpointContext> => ({
  id,
  title,
  async run(context) {
    const reply = await context.send(unsigned(context, { path: pathOf(context.endpoint.slug) }));
    const status = statusOf(reply);
    if (status >= 400 && status < 500 && status !== 403 && status !== 410)
      return ok(String(status), "It is not redirected and reaches no other route.");
    if (status >= 300 && status < 400)
      return warning(
        describe(reply),
        "This spelling is corrected by a redirect, which providers do not follow.",
        `Check that the URL at the provider ends in exactly ${webhookPath(context.endpoint.slug)}.`,
      );
    return (
      interferenceOf(reply) ??
      failed(
        describe(reply),
        "This spelling of the URL got an unexpected response.",
        "Make the proxy pass paths on unchanged.",
      )
    );
  },
});

const areBodiesWhole: Check<EndpointContext> = {
  id: "bodies",
  title: "Bodies of 20 KB and 200 KB arrive whole",
  async run(context) {
    const { sign } = context.endpoint;
    if (!sign)
      return skipped(
        "Only a signed delivery shows it, and no secret can be read here. Run it on the server, or in the console.",
      );
    for (const bytes of [20_000, 200_000]) {
      const reply = await context.send(unsigned(context, sign(bytes)));
      if (statusOf(reply) === 200) continue;
      const seen = `${describe(reply)} for ${bytes / 1000} KB`;
      if (reasonOf(reply) === "signature_mismatch")
        return failed(
          seen,
          "The body was changed or cut on its way, so the signature does not match.",
          "Turn off body rewriting and size limits below 1 MiB in the proxy.",
        );
      return (
        interferenceOf(reply) ??
        failed(
          seen,
          `A correctly signed delivery was rejected: ${reasonOf(reply)}.`,
          "Compare the clocks, and look for the delivery in the console.",
        )
      );
    }
    return ok("200", "Correctly signed deliveries are accepted and stored.");
  },
};

const isPlainHttpHarmless: Check<EndpointContext & { sendPlain?: EndpointContext["send"] }> = {
  id: "plain_http",
  title: "http:// is not served",
  async run(context) {
    const { sendPlain } = context;
    if (!sendPlain) return skipped("The server runs on plain http.");
    const reply = await sendPlain(unsigned(context));
    if (reply.kind === "failed") return ok("no answer", "Nothing answers on plain http.");
    if (headerOf(reply.response, "location") !== undefined)
      return ok(
        describe(reply),
        "http redirects to https. Enter the https URL at the provider, since it does not follow redirects.",
      );
    if (reply.response.status < 500 && reasonOf(reply) === "signature_missing")
      return warning(
        describe(reply),
        "Deliveries are accepted over plain http, where others can read them.",
        "Redirect http to https in the proxy.",
      );
    return ok(describe(reply), "Plain http does not reach the receiver.");
  },
};

/** What is examined of each endpoint, in the order of the report. */
export const ENDPOINT_CHECKS = [
  isUnsignedRefused,
  isForgedRefused,
  isLargeRefused,
  isGetRefused,
  areSlashesIgnored,
  otherSpelling("double_slash", "A double slash is not redirected", (slug) => `/${webhookPath(slug)}`),
  otherSpelling("encoded", "An encoded slash opens nothing", (slug) => `/api/webhooks%2F${slug}`),
  areBodiesWhole,
  isPlainHttpHarmless,
] as const;
