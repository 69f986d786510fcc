import { engines } from "@gatehouse/db/testing/engines";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listAuditHistory } from "../audit/queries.ts";
import { type Installation, openInstallation } from "../testing/callers.ts";
import { getInstallationLogo } from "./installation-logo.ts";

/** One pixel. */
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

describe.each(engines)("CO-68 the logo of the installation, on $name", (engine) => {
  let it: Installation;
  beforeAll(async () => {
    it = await openInstallation(engine);
  });
  afterAll(() => it.close());

  test("is uploaded, replaced and removed; each change has a new version and is in the audit log", async () => {
    const { settings } = it.as("admin");
    expect(await settings.logo()).toEqual({ logo: null, version: 0 });
    const first = await settings.setLogo({ logo: PNG, version: 0 });
    expect(first.logo).toMatch(/^data:image\/webp;base64,/);
    expect(await getInstallationLogo(it.deps)).toMatchObject({ type: "image/webp" });
    const second = await settings.setLogo({ logo: PNG, version: first.version });
    expect(second.version).toBeGreaterThan(first.version);
    const third = await settings.setLogo({ logo: null, version: second.version });
    expect(third).toEqual({ logo: null, version: expect.any(Number) });
    expect(third.version).toBeGreaterThan(second.version);
    expect(await getInstallationLogo(it.deps)).toBeUndefined();
    const [removed] = await listAuditHistory(it.deps.db, { objects: ["settings"], limit: 1 });
    expect(removed).toMatchObject({
      action: "settings.update",
      detail: { changes: { logo: { before: expect.stringMatching(/^image\/webp, \d+ bytes$/), after: null } } },
    });
  });

  test("CO-45 a save names the version that it was read at", async () => {
    const { settings } = it.as("admin");
    const { version } = await settings.logo();
    const saved = await settings.setLogo({ logo: PNG, version });
    await expect(settings.setLogo({ logo: null, version })).rejects.toMatchObject({
      code: "CONFLICT",
      cause: { conflict: { version: saved.version, by: "admin" } },
    });
    expect(await settings.logo()).toEqual(saved);
  });

  test("a file that is not a picture is refused at its field, and changes nothing", async () => {
    const { settings } = it.as("admin");
    const before = await settings.logo();
    const logo = Buffer.from("<svg/>").toString("base64");
    await expect(settings.setLogo({ logo, version: before.version })).rejects.toMatchObject({
      code: "BAD_REQUEST",
      cause: { problems: [{ path: "logo", message: "must be a PNG, JPEG or WebP picture" }] },
    });
    expect(await settings.logo()).toEqual(before);
  });
});
