import { type Parsed, parseJson } from "../body.ts";
import { shortText, valueAt } from "../encoding.ts";
import type { Incoming } from "../incoming.ts";
import type { Adapter } from "./adapter.ts";
import { apiBaseUrl, apiBaseUrlProblems, textProblems } from "./api-settings.ts";
import { type MacHeader, macOf, readMacHeader, textKey } from "./signatures.ts";

const SCHEME: MacHeader = {
  header: "x-hub-signature-256",
  algorithm: "hmac-sha256",
  encoding: "hex",
  prefix: "sha256=",
};

/** `X-GitHub-Event` and the action, as `issues.opened`. */
function typeOf({ headers }: Incoming, payload: unknown): string | null {
  const event = shortText(headers.get("x-github-event"));
  const action = shortText(valueAt(payload, "action"));
  return event !== null && action !== null ? shortText(`${event}.${action}`) : event;
}

function objectKeyOf(payload: unknown): string | null {
  const [object] = ["pull_request", "issue", "release"]
    .map((name) => valueAt(payload, name))
    .filter((value) => value !== undefined);
  return shortText(valueAt(object ?? valueAt(payload, "repository"), "node_id"));
}

/** GitHub sends JSON, or a form whose `payload` is JSON. */
function parse(body: Uint8Array): Parsed | undefined {
  const json = parseJson(body);
  if (json) return json;
  const payload = new URLSearchParams(Buffer.from(body).toString("latin1")).get("payload");
  return payload === null ? undefined : parseJson(Buffer.from(payload));
}

const HOOK_PATH = /^\/(repos\/[\w.-]+\/[\w.-]+|orgs\/[\w.-]+)\/hooks\/\d+$/;

/** `X-Hub-Signature-256: sha256=<hex>`: HMAC-SHA256 over the body. The older SHA-1 header does not count. */
export const github: Adapter = {
  name: "GitHub",
  signatureName: "the X-Hub-Signature-256 header",
  toleranceSeconds: null,
  contentTypes: ["application/json", "application/x-www-form-urlencoded"],
  readClaim: (incoming) => readMacHeader(incoming, SCHEME),
  keysOf: textKey,
  typedSecrets: true,
  // The id stays the same when a delivery is sent again.
  identify: (incoming, payload) => [
    {
      id: shortText(incoming.headers.get("x-github-delivery")),
      type: typeOf(incoming, payload),
      objectKey: objectKeyOf(payload),
    },
  ],
  parse,
  settingsFields: [
    apiBaseUrl("https://api.github.com"),
    {
      name: "hookPath",
      label: "Webhook at GitHub",
      help: "With it and an API key, deliveries that never came are fetched: /repos/<owner>/<repo>/hooks/<id> or /orgs/<org>/hooks/<id>.",
      kind: "text",
      placeholder: "/repos/acme/shop/hooks/123",
    },
  ],
  settingsProblems: (settings) => [
    ...apiBaseUrlProblems(settings),
    ...textProblems(
      settings,
      "hookPath",
      HOOK_PATH,
      "must be /repos/<owner>/<repo>/hooks/<id> or /orgs/<org>/hooks/<id>",
    ),
  ],
  sign: ({ body, secret, id, type }) => {
    const mac = macOf("hmac-sha256", secret, [body]).toString("hex");
    const event = (type ?? "ping").split(".", 1)[0] ?? "ping"; // the action is in the body
    const headers = { "content-type": "application/json", "x-github-event": event, "x-github-delivery": id };
    return { headers: { ...headers, [SCHEME.header]: `sha256=${mac}` }, body };
  },
  facts: {
    ackTimeoutMs: 10_000,
    retries: "GitHub does not retry. A delivery can be sent again by hand for 3 days.",
    givesUpAfterSeconds: 0,
    resendWindowDays: 3,
    secretHelp: "Settings → Webhooks → your webhook → Secret: the text that you typed",
    docsUrl: "https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries",
    dedupe: "provider_id",
    reconcile: true,
    keepDays: 90,
  },
  samples: {
    "issues.opened": {
      action: "opened",
      issue: {
        id: 1,
        node_id: "I_sample",
        number: 7,
        title: "Receipts arrive twice",
        state: "open",
        user: { login: "ada" },
      },
      repository: { id: 2, node_id: "R_sample", full_name: "example/shop" },
      sender: { login: "ada", type: "User" },
    },
    push: {
      ref: "refs/heads/main",
      before: "0000000000000000000000000000000000000000",
      after: "59b20b8d5c6ff8d09518454d4dd8b7b30f095ab5",
      commits: [],
      repository: { id: 2, node_id: "R_sample", full_name: "example/shop" },
      pusher: { name: "ada", email: "ada@example.com" },
    },
  },
};
