import { isIPv4, isIPv6 } from "node:net";

const MAPPED = "0:0:0:0:0:ffff";

export function plainAddress(text) {
  if (isIPv4(text)) return text;
  // How Node writes an IPv4 peer of a dual-stack socket. This runs on every request, so it does not parse.
  if (text.startsWith("::ffff:") && isIPv4(text.slice(7))) return text.slice(7);
  if (!isIPv6(text)) return undefined;
  const groups = /ffff/i.test(text) ? groupsOf(text) : [];
  if (groups.slice(0, 6).join(":") !== MAPPED) return text.replace(/%.*$/, "");
  return groups
    .slice(6)
    .flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255])
    .join(".");
}

export function networkOf(address, ipv4Bytes) {
  const plain = plainAddress(address);
  if (plain === undefined) return undefined;
  if (isIPv4(plain)) return ipv4Bytes === 4 ? plain : plain.slice(0, plain.lastIndexOf("."));
  return groupsOf(plain).slice(0, 4).join(":");
}

/** The eight groups of a valid IPv6 address, in lower case and without leading zeros. */
function groupsOf(address) {
  const [head = "", tail = ""] = address.toLowerCase().replace(/%.*$/, "").replace(DOTTED_TAIL, asGroups).split("::");
  const [left, right] = [head, tail].map((part) => part.split(":").filter((group) => group !== ""));
  const zeros = Array(8 - left.length - right.length).fill("0");
  return [...left, ...zeros, ...right].map((group) => group.replace(/^0+(?=.)/, ""));
}

const DOTTED_TAIL = /(\d+)\.(\d+)\.(\d+)\.(\d+)$/;

function asGroups(_, ...bytes) {
  const [a = 0, b = 0, c = 0, d = 0] = bytes.map(Number);
  return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
}
