import { BlockList, isIP, isIPv4 } from "node:net";
import { plainAddress } from "./address.mjs";
import { configurationError } from "./configuration-error.mjs";

const LIST = "GATEHOUSE_TRUSTED_PROXIES";
const SWITCH = "GATEHOUSE_TRUST_PROXY";

/** This machine, private networks and the local link. RFC 1918, RFC 4193, RFC 6890. */
const PRIVATE = [
  "127.0.0.0/8",
  "10.0.0.0/8",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "169.254.0.0/16",
  "::1",
  "fc00::/7",
  "fe80::/10",
];
/** As many answers are remembered, since proxies are few and each request asks. */
const REMEMBERED = 1_000;

export function readTrustedProxies(variables) {
  const list = variables[LIST] || undefined;
  const isOn = variables[SWITCH] === "1";
  if (list !== undefined && isOn) throw configurationError(`${LIST} must not be set beside ${SWITCH}=1: keep the list`);
  if (list === undefined) return isOn ? { has: inNetworks(PRIVATE), hops: "last" } : undefined;
  return { has: inNetworks(list.split(",").map((part) => part.trim())), hops: "all" };
}

function inNetworks(networks) {
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", bits, ...more] = network.split("/");
    const most = isIPv4(address) ? 32 : 128;
    const prefix = bits === undefined ? most : Number(bits);
    if (isIP(address) === 0 || more.length > 0 || !/^\d*$/.test(bits ?? "") || bits === "" || prefix > most)
      throw configurationError(
        `${LIST} must be a list of addresses and networks, like 10.0.0.0/8,2001:db8::/32; "${network}" is none`,
      );
    list.addSubnet(address, prefix, isIPv4(address) ? "ipv4" : "ipv6");
  }
  const known = new Map();
  return (address) => {
    const found = known.get(address) ?? list.check(address, isIPv4(address) ? "ipv4" : "ipv6");
    if (known.size >= REMEMBERED) known.clear();
    known.set(address, found);
    return found;
  };
}

export function addressBehind(proxies, peer, forwarded) {
  const socket = plainAddress(peer ?? "");
  if (!proxies || socket === undefined || !proxies.has(socket)) return { address: socket, isProxied: false };
  return { address: callerIn(proxies, forwarded) ?? socket, isProxied: true };
}

export function callerIn(proxies, forwarded) {
  let nearest;
  for (const hop of hopsOf(forwarded).reverse()) {
    const address = addressOf(hop);
    if (address === undefined) return nearest;
    if (proxies.hops === "last" || !proxies.has(address)) return address;
    nearest = address;
  }
  return nearest;
}

function hopsOf(forwarded) {
  const text = Array.isArray(forwarded) ? forwarded.join(",") : (forwarded ?? "");
  return text === "" ? [] : text.split(",");
}

/** Some proxies add the port, and brackets around IPv6. Undefined when the hop is not an address. */
function addressOf(hop) {
  const text = hop.trim();
  const [, bracketed, plain] = /^(?:\[(.+)\](?::\d+)?|([\d.]+):\d+)$/.exec(text) ?? [];
  return plainAddress(bracketed ?? plain ?? text);
}
