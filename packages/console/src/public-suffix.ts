import { parse } from "tldts";

/**
 * Whether anybody can get names under this host, as under `co.uk` or `vercel.app`: the Public Suffix List with its
 * private section.
 */
export function isPublicSuffix(host: string): boolean {
  return parse(host, { allowPrivateDomains: true }).domain === null;
}
