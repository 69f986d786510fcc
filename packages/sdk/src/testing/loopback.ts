import { GatehouseError } from "../error.ts";

const HOSTS = ["localhost", "127.0.0.1", "[::1]"];

/**
 * The URL, if it is http on this machine. Nothing of this entry talks to anything else: passwords of tests are known,
 * and nothing that it does belongs on a server that people use. PK-59.
 *
 * @throws GatehouseError `configuration` otherwise.
 */
export function loopbackUrl(url: string | URL, base?: string | URL): URL {
  const parsed = URL.canParse(url, base) ? new URL(url, base) : undefined;
  if (parsed?.protocol === "http:" && HOSTS.includes(parsed.hostname)) return parsed;
  const what = parsed ? parsed.origin : "This URL";
  throw new GatehouseError(
    "configuration",
    `${what} is not http on localhost, and @gatehouse/sdk/testing uses nothing else.`,
  );
}
