import { BlockList, isIP } from "node:net";

/** Networks that are not on the public internet: IANA's IPv4 special-purpose registry. RFC 6890. */
const SPECIAL_V4 = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["168.63.129.16", 32], // Azure's wire server: a public address that only its virtual machines reach
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.31.196.0", 24],
  ["192.52.193.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["192.175.48.0", 24],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
] as const;

/**
 * Public IPv6 is global unicast: that excludes loopback, ULA, link-local, multicast, IPv4-mapped and NAT64 addresses.
 */
const GLOBAL_V6 = ["2000::", 3] as const;
/** Within global unicast: IETF protocols and Teredo, documentation, 6to4, AS112. */
const SPECIAL_V6 = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["2620:4f:8000::", 48],
  ["3fff::", 20],
] as const;

const special = new BlockList();
for (const [net, prefix] of SPECIAL_V4) special.addSubnet(net, prefix, "ipv4");
for (const [net, prefix] of SPECIAL_V6) special.addSubnet(net, prefix, "ipv6");
const globalV6 = new BlockList();
globalV6.addSubnet(...GLOBAL_V6, "ipv6");

/** Whether an IP address belongs to the public internet. False for text that is not an address. RFC 6890. */
export function isPublicAddress(address: string): boolean {
  const family = address.includes("%") ? 0 : isIP(address);
  if (family === 4) return !special.check(address, "ipv4");
  return (
    family === 6 && globalV6.check(address, "ipv6") && !special.check(address, "ipv6") && !isEmbeddedMetadata(address)
  );
}

/**
 * Whether an IPv6 address ends with 169.254.169.254, which is how a translator with an organisation's own prefix
 * reaches it. RFC 6052 §2.2.
 */
function isEmbeddedMetadata(address: string): boolean {
  return new URL(`http://[${address}]`).hostname.endsWith(":a9fe:a9fe]");
}

/**
 * Networks of organisations: RFC 1918, shared address space (RFC 6598) and unique local IPv6 (RFC 4193). Link-local is
 * not one of them.
 */
const privateNetworks = new BlockList();
for (const [net, prefix] of [
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
] as const)
  privateNetworks.addSubnet(net, prefix, "ipv4");
privateNetworks.addSubnet("fc00::", 7, "ipv6");

/**
 * Where clouds serve credentials to their machines inside these networks: Alibaba, AWS, Google, Oracle and Scaleway.
 * IPv6 services have a /64 of their own, which also has the cloud's pod identities, name and time servers.
 */
const metadataServices = new BlockList();
metadataServices.addAddress("100.100.100.200");
for (const net of ["fd00:ec2::", "fd20:ce::", "fd00:c1::", "fd00:42::"]) metadataServices.addSubnet(net, 64, "ipv6");

/**
 * Whether an IP address belongs to the private network of an organisation. False for loopback, link-local and cloud
 * metadata addresses. RFC 1918, RFC 4193.
 */
export function isPrivateAddress(address: string): boolean {
  const family = address.includes("%") ? 0 : isIP(address);
  if (family === 0) return false;
  const type = family === 6 ? "ipv6" : "ipv4";
  if (!privateNetworks.check(address, type) || metadataServices.check(address, type)) return false;
  return family === 4 || !isEmbeddedMetadata(address);
}

/** Whether an IP address is a loopback address: `::1` or 127.0.0.0/8. */
export function isLoopbackAddress(address: string): boolean {
  return address === "::1" || (isIP(address) === 4 && address.startsWith("127."));
}
