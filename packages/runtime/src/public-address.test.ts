import { describe, expect, test } from "vitest";
import { isPrivateAddress, isPublicAddress } from "./public-address.ts";

describe("the metadata services of clouds are neither public nor private, CI-05", () => {
  test.each([
    ["AWS, Azure, Google and others", "169.254.169.254"],
    ["the same, mapped", "::ffff:169.254.169.254"],
    ["the same, mapped, in hexadecimal", "::ffff:a9fe:a9fe"],
    ["the same, compatible", "::169.254.169.254"],
    ["the same by NAT64", "64:ff9b::a9fe:a9fe"],
    ["the same by NAT64 in dotted form", "64:ff9b::169.254.169.254"],
    ["the same by a local NAT64", "64:ff9b:1::a9fe:a9fe"],
    ["the same by a NAT64 in a private prefix", "fd12:3456:789a::a9fe:a9fe"],
    ["the same by a NAT64 in a public prefix", "2606:4700:4700::a9fe:a9fe"],
    ["the same by one in a private prefix, in dotted form and capitals", "FD12:3456:789A::169.254.169.254"],
    ["the same by 6to4", "2002:a9fe:a9fe::"],
    ["the same in the name of a 6to4 host", "2002:a9fe:a9fe::a9fe:a9fe"],
    ["AWS by IPv6", "fd00:ec2::254"],
    ["AWS by IPv6, in full", "FD00:0EC2:0000:0000:0000:0000:0000:0254"],
    ["AWS's pod identity", "fd00:ec2::23"],
    ["AWS's containers", "169.254.170.2"],
    ["Google by IPv6", "fd20:ce::254"],
    ["Google by IPv6, in full", "fd20:00ce:0:0:0:0:0:254"],
    ["Oracle", "192.0.0.192"],
    ["Oracle by IPv6", "fd00:c1::a9fe:a9fe"],
    ["Scaleway by IPv6", "fd00:42::42"],
    ["Alibaba", "100.100.100.200"],
    ["Alibaba, mapped", "::ffff:100.100.100.200"],
    ["Alibaba, mapped, in hexadecimal", "::ffff:6464:64c8"],
    ["Azure's wire server", "168.63.129.16"],
    ["Azure's wire server, mapped", "::ffff:168.63.129.16"],
    ["OpenStack by IPv6", "fe80::a9fe:a9fe"],
    ["OpenStack by IPv6, with its zone", "fe80::a9fe:a9fe%eth0"],
  ])("CI-05: %s: %s", (_, address) => {
    expect([isPublicAddress(address), isPrivateAddress(address)]).toEqual([false, false]);
  });
});

test.each([
  "10.1.2.3",
  "100.64.0.1",
  "100.100.100.201",
  "172.31.255.255",
  "192.168.1.1",
  "fd12:3456:789a::1",
  "fd00:ec3::254",
  "fd20:ce:1::254",
])("%s is private", (address) => {
  expect([isPublicAddress(address), isPrivateAddress(address)]).toEqual([false, true]);
});

test.each(["168.63.129.17", "8.8.8.8", "2606:4700:4700::a9fe:a9fd"])("%s is public", (address) => {
  expect([isPublicAddress(address), isPrivateAddress(address)]).toEqual([true, false]);
});
