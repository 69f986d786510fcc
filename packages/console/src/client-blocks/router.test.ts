import { type SelfDescribedClient, sha256 } from "@gatehouse/auth";
import { engines } from "@gatehouse/db/testing/engines";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Installation, NOON, openInstallation, seedApplication } from "../testing/callers.ts";

describe.each(engines)("blocks of clients that registered themselves, on $name", (engine) => {
  let it: Installation;
  beforeAll(async () => {
    it = await openInstallation(engine);
  });
  afterAll(() => it.close());

  const enabled = async (clientId: string) => (await it.deps.store.findClient(clientId))?.enabled;

  async function document(clientId: string, softwareId?: string): Promise<string> {
    const client: SelfDescribedClient = {
      clientId,
      applicationId: sha256(clientId).slice(0, 22),
      applicationName: `Document ${clientId}`,
      type: "native",
      redirectUris: ["http://localhost/cb"],
      postLogoutRedirectUris: [],
      grantTypes: ["authorization_code"],
      scopes: ["api:read"],
      options: softwareId === undefined ? {} : { softwareId },
    };
    await it.deps.store.saveDocumentClient(client, NOON);
    return clientId;
  }

  test("only admins can block, unblock and list", async () => {
    const key = { kind: "software_id", value: "x" } as const;
    for (const role of ["developer", "viewer", "user"] as const) {
      const { clientBlocks } = it.as(role);
      for (const call of [() => clientBlocks.block(key), () => clientBlocks.unblock(key), () => clientBlocks.list()])
        await expect(call()).rejects.toMatchObject({ code: "FORBIDDEN" });
    }
    await expect(it.stranger.clientBlocks.list()).rejects.toMatchObject({ code: "UNAUTHORIZED" });
  });

  test("disabling such a client blocks its id, and enabling it lifts the block", async () => {
    const clientId = await document("https://off.example/c");
    const { clients, clientBlocks } = it.as("admin");
    expect(await clients.setEnabled({ clientId, enabled: false })).toMatchObject({ enabled: false });
    expect(await clientBlocks.list()).toEqual([
      { kind: "client_id", value: clientId, reason: "", createdAt: NOON, expiresAt: null },
    ]);
    expect(await clients.setEnabled({ clientId, enabled: true })).toMatchObject({ enabled: true });
    expect(await clientBlocks.list()).toEqual([]);
  });

  test("a client whose host is blocked cannot be enabled", async () => {
    const clientId = await document("https://app.bad.example/c");
    const { clients, clientBlocks } = it.as("admin");
    const answer = await clientBlocks.block({
      kind: "document_host",
      value: "BAD.example.",
      reason: "spam",
      expiresAt: NOON + 60,
    });
    expect(answer).toEqual({
      block: { kind: "document_host", value: "bad.example", reason: "spam", createdAt: NOON, expiresAt: NOON + 60 },
      disabled: 1,
    });
    const tried = clients.setEnabled({ clientId, enabled: true });
    await expect(tried).rejects.toMatchObject({ code: "CONFLICT", message: expect.stringContaining("bad.example") });
    expect(await enabled(clientId)).toBe(false);
    await clientBlocks.unblock({ kind: "document_host", value: "Bad.Example" });
    expect(await enabled(clientId)).toBe(true);
    await expect(clientBlocks.unblock({ kind: "document_host", value: "bad.example" })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  });

  test.each(["", "https://bad.example", "bad.example/path", "user@bad.example", "two words", "%"])(
    "%j is not a host to block",
    async (value) => {
      const tried = it.as("admin").clientBlocks.block({ kind: "document_host", value });
      await expect(tried).rejects.toMatchObject({ code: "BAD_REQUEST" });
    },
  );

  test("an end in the past is rejected, and so is a client that an admin registered", async () => {
    const { clientBlocks, clients } = it.as("admin");
    const over = clientBlocks.block({ kind: "software_id", value: "late", expiresAt: NOON });
    await expect(over).rejects.toMatchObject({ code: "BAD_REQUEST", message: expect.stringContaining("expiresAt") });
    const { clientId } = await seedApplication(it.deps);
    await expect(clientBlocks.block({ kind: "client_id", value: clientId })).rejects.toMatchObject({
      code: "CONFLICT",
    });
    await clients.setEnabled({ clientId, enabled: false });
    expect(await clientBlocks.list()).toEqual([]);
    expect(await enabled(clientId)).toBe(false);
  });
});
