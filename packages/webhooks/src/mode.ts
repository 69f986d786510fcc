import { isUrl } from "@gatehouse/runtime";
import type { Environment } from "./endpoint.ts";
import type { Mode } from "./states.ts";

/** A provider's switch, `true` or `"true"` for live. Undefined if it says neither. */
export function modeOfLive(live: unknown): Mode | undefined {
  if (live === true || live === "true") return "live";
  return live === false || live === "false" ? "test" : undefined;
}

/** The same for a switch that is on for tests. */
export function modeOfTest(test: unknown): Mode | undefined {
  const inverse = modeOfLive(test);
  return inverse && (inverse === "live" ? "test" : "live");
}

/** A provider's word for one of its environments, in any case. */
export function modeOfWord(word: unknown): Mode | undefined {
  return typeof word === "string" ? WORDS.get(word.toLowerCase()) : undefined;
}

const WORDS: ReadonlyMap<string, Mode> = new Map([
  ["live", "live"],
  ["production", "live"],
  ["test", "test"],
  ["sandbox", "test"],
]);

/** By a URL of the provider's API, whose sandbox has a host of its own. Undefined if it is no URL of this domain. */
export function modeOfUrl(url: unknown, domain: string): Mode | undefined {
  if (typeof url !== "string" || url.length > 2048 || !isUrl(url)) return undefined;
  const { hostname } = new URL(url);
  if (hostname !== domain && !hostname.endsWith(`.${domain}`)) return undefined;
  return hostname.split(".").includes("sandbox") ? "test" : "live";
}

/**
 * Whether the provider marks as a test what arrived in production, or as live what arrived elsewhere. False without a
 * mark.
 */
export function contradicts(mode: Mode | null, environment: Environment): boolean {
  return mode !== null && (mode === "live") !== (environment === "production");
}
