import { engines } from "@gatehouse/db/testing/engines";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Installation, openInstallation, seedApplication } from "../testing/callers.ts";
import { brandOf, getLogo } from "./branding.ts";

/** One pixel. */
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");

describe.each(engines)("BD-01 the branding of an application, on $name", (engine) => {
  let it: Installation;
  let applicationId: string;
  beforeAll(async () => {
    it = await openInstallation(engine);
    ({ applicationId } = await seedApplication(it.deps));
  });
  afterAll(() => it.close());

  test("an application without one looks as the product does", async () => {
    expect(await it.as("viewer").branding.get({ applicationId })).toEqual({ settings: {}, logo: null, version: 0 });
    expect(await brandOf(applicationId, it.deps)).toBeUndefined();
  });

  test("settings and logo are saved apart, and each change has a new version", async () => {
    const { branding } = it.as("admin");
    const settings = { displayName: "Shop & Söhne", colour: "#0f766e", termsUrl: "https://shop.example/terms" };
    const first = await branding.set({ applicationId, settings });
    expect(first).toMatchObject({ settings, logo: null });
    const second = await branding.setLogo({ applicationId, logo: PNG });
    expect(second).toMatchObject({ settings, logo: expect.stringMatching(/^data:image\/webp;base64,/) });
    expect(second.version).toBeGreaterThan(first.version);
    expect(await getLogo(applicationId, it.deps)).toMatchObject({ type: "image/webp" });
    expect(await branding.set({ applicationId, settings: { colour: "#4F46E5" } })).toMatchObject({
      settings: { colour: "#4f46e5" },
      logo: second.logo,
    });
    expect(await branding.setLogo({ applicationId, logo: null })).toMatchObject({
      settings: { colour: "#4f46e5" },
      logo: null,
    });
    expect(await getLogo(applicationId, it.deps)).toBeUndefined();
  });

  test.each([
    ["colour", { colour: "red" }],
    ["termsUrl", { termsUrl: "http://shop.example/" }],
    ["supportUrl", { supportUrl: "javascript:alert(1)" }],
    ["displayName", { displayName: "two\nlines" }],
  ])("a bad %s is refused and named", async (path, settings) => {
    await expect(it.as("admin").branding.set({ applicationId, settings })).rejects.toMatchObject({
      code: "BAD_REQUEST",
      cause: { problems: [expect.objectContaining({ path })] },
    });
  });

  test.each([
    ["SVG, which can contain scripts", Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>")],
    ["more than 180 KiB", Buffer.concat([Buffer.from(PNG, "base64"), Buffer.alloc(180 * 1024)])],
  ])("CO-68 a logo that is %s is refused and named", async (_, bytes) => {
    await expect(it.as("admin").branding.setLogo({ applicationId, logo: base64(bytes) })).rejects.toMatchObject({
      code: "BAD_REQUEST",
      cause: { problems: [expect.objectContaining({ path: "logo" })] },
    });
  });

  test("viewers cannot change it, and there is none for an unknown application", async () => {
    await expect(it.as("viewer").branding.set({ applicationId, settings: {} })).rejects.toMatchObject({
      code: "FORBIDDEN",
    });
    await expect(it.as("admin").branding.set({ applicationId: "nothing", settings: {} })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  });
});
