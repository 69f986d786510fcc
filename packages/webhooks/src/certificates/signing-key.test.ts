import { createPublicKey, X509Certificate } from "node:crypto";
import { siteKey } from "@gatehouse/runtime";
import { beforeAll, describe, expect, test } from "vitest";
import { type Issued, issue } from "../testing/authority.ts";
import { readRoots } from "./chain.ts";
import { findSigningKey } from "./signing-key.ts";

const NOW = Date.parse("2026-01-01") / 1000;
const HOSTNAME = "messageverificationcerts.paypal.com";
const LEAF_URL = "https://api.paypal.com/v1/notifications/certs/CERT-1";
const INTERMEDIATE_URL = "https://cacerts.authority.example/intermediate.crt";

let root: Issued;
let intermediate: Issued;
let leaf: Issued;

beforeAll(async () => {
  root = await issue({ name: "Root", authority: true });
  intermediate = await issue({ name: "Intermediate", authority: true, issuer: root });
  leaf = await issue({
    name: HOSTNAME,
    hostnames: [HOSTNAME],
    issuer: intermediate,
    issuerUrl: INTERMEDIATE_URL.replace("https:", "http:"),
  });
});

/** Files by URL, and what was asked for. */
function downloads(files: Record<string, string | Uint8Array>, now = NOW) {
  const asked: string[] = [];
  const clock = { now };
  const deps = {
    now: () => clock.now,
    fetchCertificate: async (url: string) => {
      asked.push(url);
      const file = files[url];
      if (file === undefined) throw new Error("no such file");
      return typeof file === "string" ? Buffer.from(file) : file;
    },
    trustedRoots: readRoots([root.pem]),
  };
  return {
    asked,
    clock,
    files,
    find: (url = LEAF_URL, address = "192.0.2.1") =>
      findSigningKey(url, [HOSTNAME], { ...deps, sender: siteKey({ address }) }),
  };
}

const keyOf = ({ pem }: Issued) => new X509Certificate(pem).publicKey.export({ type: "spki", format: "der" });
const leafOf = (options: Partial<Parameters<typeof issue>[0]>) =>
  issue({ name: HOSTNAME, hostnames: [HOSTNAME], issuer: intermediate, ...options });

describe("a signing certificate is trusted", () => {
  test("if the file contains its whole chain", async () => {
    const { find, asked } = downloads({ [LEAF_URL]: leaf.pem + intermediate.pem });
    expect(await find()).toEqual(keyOf(leaf));
    expect(asked).toEqual([LEAF_URL]);
  });

  test.each<[string, () => string | Uint8Array]>([
    ["DER", () => intermediate.der],
    ["PEM", () => intermediate.pem],
  ])("if the intermediate that it names can be downloaded as %s, by https", async (_, file) => {
    const { find, asked } = downloads({ [LEAF_URL]: leaf.pem, [INTERMEDIATE_URL]: file() });
    const found = await find();
    expect(createPublicKey({ key: Buffer.from(found ?? []), format: "der", type: "spki" }).asymmetricKeyType).toBe(
      "rsa",
    );
    expect(asked).toEqual([LEAF_URL, INTERMEDIATE_URL]);
  });
});

describe("a signing certificate is not trusted", () => {
  const rows: [string, () => Promise<string> | string][] = [
    [
      "for another name",
      async () => (await leafOf({ name: "www.paypal.com", hostnames: ["www.paypal.com"] })).pem + intermediate.pem,
    ],
    [
      "of a web server with a wildcard",
      async () => (await leafOf({ hostnames: ["*.paypal.com"] })).pem + intermediate.pem,
    ],
    ["before it is valid", async () => (await leafOf({ validFrom: new Date("2030-01-01") })).pem + intermediate.pem],
    ["after it expired", async () => (await leafOf({ validTo: new Date("2025-01-01") })).pem + intermediate.pem],
    ["that signed itself", async () => (await issue({ name: HOSTNAME, hostnames: [HOSTNAME] })).pem],
    [
      "of an authority that signed itself",
      async () => {
        const other = await issue({ name: "Root", authority: true });
        return (await leafOf({ issuer: other })).pem + other.pem;
      },
    ],
    [
      "issued by a certificate that may not issue",
      async () => {
        const server = await issue({ name: "shop.example", hostnames: ["shop.example"], issuer: intermediate });
        return (await leafOf({ issuer: server })).pem + server.pem + intermediate.pem;
      },
    ],
    [
      "of an expired intermediate",
      async () => {
        const old = await issue({ name: "Old", authority: true, issuer: root, validTo: new Date("2025-01-01") });
        return (await leafOf({ issuer: old })).pem + old.pem;
      },
    ],
    ["without its intermediate", async () => (await leafOf({})).pem],
    ["that is none", () => "<html>maintenance</html>"],
    ["that is broken", () => leaf.pem.replace(/MII/, "AAA")],
  ];

  test.each(rows)("%s", async (_, file) => {
    expect(await downloads({ [LEAF_URL]: await file() }).find()).toBeUndefined();
  });
});

describe("downloads are few", () => {
  test("a good certificate is downloaded once a day, for callers at the same time too, and not after it expired", async () => {
    const { find, asked, clock } = downloads({ [LEAF_URL]: leaf.pem + intermediate.pem });
    await Promise.all([find(), find(), find()]);
    clock.now += 86_399;
    await find();
    expect(asked).toHaveLength(1);
    clock.now += 1;
    await find();
    expect(asked).toHaveLength(2);
  });

  test("a bad one is remembered for a minute", async () => {
    const { find, asked, clock } = downloads({ [LEAF_URL]: "nothing" });
    await find();
    clock.now += 59;
    expect(await find()).toBeUndefined();
    expect(asked).toHaveLength(1);
    clock.now += 1;
    await find();
    expect(asked).toHaveLength(2);
  });

  test("a failed download is reported as the provider's, to all who wait for it, and tried again", async () => {
    const { find, files } = downloads({});
    const failures = await Promise.allSettled([find(), find()]);
    expect(failures.map((failure) => failure.status === "rejected" && failure.reason.name)).toEqual([
      "ProviderUnreachable",
      "ProviderUnreachable",
    ]);
    files[LEAF_URL] = leaf.pem + intermediate.pem;
    expect(await find()).toEqual(keyOf(leaf));
  });

  test("senders who invent addresses cause ten downloads a minute each, and cannot displace the known certificate", async () => {
    const { find, asked, clock } = downloads({ [LEAF_URL]: leaf.pem + intermediate.pem });
    await find();
    for (let minute = 0; minute < 5; minute++) {
      for (let at = 0; at < 40; at++) await find(`${LEAF_URL}-${minute}-${at}`).catch(() => undefined);
      clock.now += 60;
    }
    expect(asked).toHaveLength(50);
    expect(await find()).toEqual(keyOf(leaf));
    expect(asked).toHaveLength(50);
  });

  test("and however many they are, they do not keep the provider's own network from a certificate that is new", async () => {
    const { find, asked } = downloads({ [LEAF_URL]: leaf.pem + intermediate.pem });
    for (let network = 0; network < 30; network++) {
      for (let at = 0; at < 5; at++)
        await find(`${LEAF_URL}-${network}-${at}`, `198.51.${network}.1`).catch(() => undefined);
    }
    expect(asked).toHaveLength(30 * 2 + 20);
    expect(await find(LEAF_URL, "203.0.113.9")).toEqual(keyOf(leaf));
  });
});
