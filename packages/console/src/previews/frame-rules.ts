import { type ClientType, checkRedirectUri, type Environment } from "@gatehouse/auth";
import type { PreviewFrame } from "@gatehouse/db/schema/preview-frame";
import { parse } from "tldts";
import type { Problem } from "../domain-error.ts";

const DAY = 86_400;

/** What a middle part looks like, to check a frame as a whole. */
const SAMPLE = "pr-1";

/** A redirect URI inside the frame. `between` stands between prefix and suffix of the host. */
export const uriInFrame = ({ hostPrefix, hostSuffix, path }: PreviewFrame, between: string) =>
  `https://${hostPrefix}${between}${hostSuffix}${path}`;

/**
 * The domain under which anybody can get hosts of the frame, such as `vercel.app`; null if all hosts of the frame have
 * one owner. Decided by the Public Suffix List with its private section. CO-29.
 */
export function sharedSuffixOf({
  hostPrefix,
  hostSuffix,
}: Pick<PreviewFrame, "hostPrefix" | "hostSuffix">): string | null {
  const host = `${hostPrefix}${SAMPLE}${hostSuffix}`;
  const { domain, publicSuffix } = parse(host, { allowPrivateDomains: true });
  return domain === null || domain === host ? (publicSuffix ?? host) : null;
}

/**
 * How long a slot of the frame lasts at most, in seconds: 14 days, or 3 where strangers can take the host once it is
 * free. CO-29.
 */
export const mostSlotSeconds = (frame: PreviewFrame) => (sharedSuffixOf(frame) === null ? 14 * DAY : 3 * DAY);

/** Every problem of a frame, by field. CO-29. */
export function frameProblems(frame: PreviewFrame, client: { type: ClientType; environment: Environment }): Problem[] {
  const { hostPrefix, hostSuffix, path } = frame;
  const problems: Problem[] = [];
  if (!/^(?:[a-z0-9][a-z0-9-]*)?$/.test(hostPrefix))
    problems.push({
      path: "frame.hostPrefix",
      message: "use lower-case letters, digits and hyphens, for example shop-git-",
    });
  if (!/^[a-z0-9-]*(?:\.[a-z0-9-]+)*\.[a-z][a-z0-9-]*$/.test(hostSuffix))
    problems.push({
      path: "frame.hostSuffix",
      message: "end with a domain in lower case, for example .preview.example.com",
    });
  if (!path.startsWith("/"))
    problems.push({ path: "frame.path", message: "start with a slash, for example /callback" });
  return problems.length > 0 ? problems : [...sharedProblems(frame), ...uriProblems(frame, client)];
}

function sharedProblems({ hostPrefix, hostSuffix }: PreviewFrame): Problem[] {
  const shared = sharedSuffixOf({ hostPrefix, hostSuffix });
  if (shared === null) return [];
  const { isPrivate } = parse(hostSuffix.slice(hostSuffix.indexOf(".") + 1), { allowPrivateDomains: true });
  if (!isPrivate)
    return [
      { path: "frame.hostSuffix", message: `contain a whole domain: anybody can register names under ${shared}` },
    ];
  const why = `everybody’s deployments share ${shared}`;
  return [
    ...(hostPrefix === "" ? [{ path: "frame.hostPrefix", message: `needed, because ${why}` }] : []),
    ...(hostSuffix.startsWith(".")
      ? [{ path: "frame.hostSuffix", message: `needs a part before the first dot, because ${why}` }]
      : []),
  ];
}

/** The frame must leave room for redirect URIs that the client could register. */
function uriProblems(frame: PreviewFrame, client: { type: ClientType; environment: Environment }): Problem[] {
  const check = checkRedirectUri({ uri: uriInFrame(frame, SAMPLE), ...client });
  return check.ok ? [] : [{ path: "frame.path", message: check.message }];
}
