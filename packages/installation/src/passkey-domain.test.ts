import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Installation, openInstallation } from "./installation.ts";
import { prepare } from "./prepare.ts";
import { readSettings } from "./settings/settings.ts";

const log = { info() {}, warn() {}, error() {} };

let folder: string;
let opened: Installation[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "gatehouse-passkey-domain-"));
  opened = [];
});
afterEach(async () => {
  for (const installation of opened) await installation.close();
  rmSync(folder, { recursive: true });
});

async function open(variables: Record<string, string>): Promise<Installation> {
  const secret = { GATEHOUSE_DATA_DIR: folder, GATEHOUSE_SECRET: "a secret for the tests, 32 bytes or more" };
  const installation = await openInstallation(readSettings({ ...secret, ...variables }, folder), {
    log,
    migrations: [],
  });
  opened.push(installation);
  return installation;
}

/** An installation at this issuer with an admin who has a passkey. */
async function withPasskey(issuer: string): Promise<void> {
  const installation = await open({ GATEHOUSE_ISSUER: issuer });
  await prepare(installation);
  const { people, accounts } = installation.deps;
  const admin = await people.findAccountByEmail("admin@example.com");
  const passkey = {
    credentialId: "key",
    userId: admin?.id ?? "",
    publicKey: Buffer.from("key"),
    algorithm: -7,
    counter: 0,
    transports: [],
    aaguid: "",
    name: "Key",
    backupEligible: false,
    backedUp: false,
    userVerified: true,
    createdAt: 0,
    lastUsedAt: null,
    rpId: accounts.passkeys?.rpId ?? "",
  };
  expect(await people.addPasskey(passkey, { webauthnUserId: "user", signInEpoch: 0 }, {}, 0)).toBe("added");
}

test("WA-01 with passkeys of another domain there is no start, unless their loss is acknowledged", async () => {
  await withPasskey("https://id.example.com");
  const moved = { GATEHOUSE_ISSUER: "https://login.other.com" };
  await expect(prepare(await open(moved))).rejects.toThrow(
    /passkeys for id\.example\.com.*set GATEHOUSE_ISSUER back.*add id\.example\.com to GATEHOUSE_WEBAUTHN_FORMER_RP_IDS/,
  );
  await prepare(await open({ ...moved, GATEHOUSE_WEBAUTHN_FORMER_RP_IDS: "id.example.com" }));
});

test("WA-01 a parent domain that still fits can be kept", async () => {
  await withPasskey("https://example.com");
  const moved = { GATEHOUSE_ISSUER: "https://id.example.com" };
  await expect(prepare(await open(moved))).rejects.toThrow("set GATEHOUSE_WEBAUTHN_RP_ID=example.com");
  await prepare(await open({ ...moved, GATEHOUSE_WEBAUTHN_RP_ID: "example.com" }));
});

test("WA-01 an issuer with an IP address has no passkeys, so those of before stop the start too", async () => {
  await withPasskey("http://localhost:3000");
  await expect(prepare(await open({ GATEHOUSE_ISSUER: "http://127.0.0.1:3000" }))).rejects.toThrow("IP address");
});
