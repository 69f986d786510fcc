import type { Config } from "./deps.ts";
import { OAuthError } from "./error.ts";

/** Does `sent` name our API? The case of scheme and host, and a slash at the end, do not matter. RFC 8707 §2, RI-04. */
export function isOurResource(sent: string, config: Pick<Config, "resource">): boolean {
  if (sent === config.resource) return true;
  if (sent.includes("#") || !URL.canParse(sent)) return false;
  const url = new URL(sent);
  return url.href.replace(/\/$/, "") === new URL(config.resource).href.replace(/\/$/, "");
}

/** Throws `invalid_target` unless every resource asked for is our API; none asked for is fine. RI-01, RI-02. */
export function requireOurResource(sent: readonly string[], config: Pick<Config, "resource">): void {
  const foreign = sent.find((resource) => !isOurResource(resource, config));
  if (foreign === undefined) return;
  throw new OAuthError("invalid_target", "resource_unknown", "tokens are issued for our own API only", {
    description: `The only resource here is ${config.resource}`,
    detail: { sent: foreign.slice(0, 200) },
  });
}
