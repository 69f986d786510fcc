import type { AuditEntry } from "@/trpc/types.ts";

/** Verbs whose past tense is not their own word with "d" or "ed". */
const VERBS: Readonly<Record<string, string>> = {
  new_secret: "Began a segment of",
  apply: "Applied",
  chain_moved_back: "Noticed lost rows of",
  delete_body: "Deleted the payload of",
  disconnect_apps: "Disconnected apps of",
  end_session: "Ended a session of",
  end_sessions: "Ended all sessions of",
  invite: "Invited",
  keep: "Cancelled the end of",
  lift: "Lifted",
  promote: "Promoted",
  prune: "Deleted old rows of",
  put: "Put",
  replay: "Ran handlers again for",
  replay_cancel: "Cancelled running handlers again for",
  require_password: "Required a new password of",
  reset_second_factors: "Reset second factors of",
  retry: "Retried",
  role: "Changed the role of",
  send_test: "Sent a test event to",
  send_reset_link: "Sent a reset link to",
  set: "Set",
  tail: "Followed",
  update: "Changed",
  withdraw_invitation: "Withdrew the invitation of",
};

const NOUNS: Readonly<Record<string, string>> = { api_token: "API token", audit: "audit log", resource: "API" };

const NAMED_BY_OBJECT = new Set(["user"]);

/** "client_secret.add" as "Added client secret". */
export function actionWords(action: string): string {
  const [noun = "", verb = ""] = action.split(".");
  const words = NOUNS[noun] ?? noun.replaceAll("_", " ");
  return `${pastOf(verb)} ${NAMED_BY_OBJECT.has(noun) ? "user" : words}`;
}

function pastOf(verb: string): string {
  const known = VERBS[verb];
  if (known !== undefined) return known;
  const past = verb.endsWith("e") ? `${verb}d` : `${verb}ed`;
  return (past.charAt(0).toUpperCase() + past.slice(1)).replaceAll("_", " ");
}

export const VIA_WORDS: Readonly<Record<AuditEntry["via"], string>> = {
  console: "Console",
  cli: "Command line",
  api: "API",
  api_token: "API token",
  server: "Server",
};

/** The page of what a row is about; undefined for what has none. */
export function objectHref({ action, object, environment }: AuditEntry): string | undefined {
  const id = encodeURIComponent(object);
  switch (action.split(".")[0]) {
    case "application":
    case "branding":
      return `/applications/${id}`;
    case "client":
    case "client_secret":
    case "preview_frame":
    case "preview_slot":
    case "test_run":
      return `/go/${id}`;
    case "api_token":
      return "/settings/api-tokens";
    case "resource":
      return `/resources/${id}`;
    case "sign_in_provider":
      return `/sign-in-providers/${id}`;
    case "user":
      return `/users/${id}`;
    case "webhook":
      return environment === null ? undefined : `/deliveries/${id}`;
    case "webhook_endpoint":
      return `/webhooks/${id}`;
    default:
      return undefined;
  }
}

/**
 * "redirectUris" as "Redirect URIs", "others_end_at" as "Others end at", "settings.toleranceSeconds" as "Tolerance
 * seconds".
 */
export function fieldWords(field: string): string {
  const words = field
    .replace(/^(settings|options)\./, "")
    .replaceAll("_", " ")
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .replace(/\b(uri|url|api|id)(s?)\b/g, (_, word: string, plural: string) => word.toUpperCase() + plural);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
