import { describe, expect, test } from "vitest";
import { newAuthenticator } from "../testing/authenticator.ts";
import { isCrossOrigin, readAssertion, readRegistration } from "./response.ts";

const ORIGIN = "https://id.example.com";
const request = { challenge: "Y2hhbGxlbmdl", rpId: "id.example.com" };
const clientData = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

function asserted(change: (credential: Record<string, unknown>, response: Record<string, unknown>) => void): string {
  const credential = JSON.parse(newAuthenticator(ORIGIN).get(request, { userHandle: "dXNlcg" }));
  change(credential, credential.response);
  return JSON.stringify(credential);
}

describe("WA-06 what the script of a page posted", () => {
  test("an assertion keeps only the members that are verified", () => {
    const posted = asserted((credential) =>
      Object.assign(credential, { clientExtensionResults: { appid: true }, more: 1 }),
    );
    expect(Object.keys(readAssertion(posted) ?? {}).sort()).toEqual([
      "clientExtensionResults",
      "id",
      "rawId",
      "response",
      "type",
    ]);
    expect(readAssertion(posted)?.clientExtensionResults).toEqual({});
  });

  test.each<[string, string]>([
    ["nothing", ""],
    ["no JSON", "{"],
    ["a list", "[]"],
    ["null", "null"],
    ["no response", JSON.stringify({ id: "a", rawId: "a", type: "public-key" })],
    ["another type", asserted((credential) => Object.assign(credential, { type: "password" }))],
    ["two ids", asserted((credential) => Object.assign(credential, { rawId: "b" }))],
    ["an id that is no base64url", asserted((credential) => Object.assign(credential, { id: "a b", rawId: "a b" }))],
    [
      "an id of 2000 characters",
      asserted((credential) => Object.assign(credential, { id: "a".repeat(2000), rawId: "a".repeat(2000) })),
    ],
    ["a number as signature", asserted((_, response) => Object.assign(response, { signature: 1 }))],
    ["an empty signature", asserted((_, response) => Object.assign(response, { signature: "" }))],
    ["an object as user handle", asserted((_, response) => Object.assign(response, { userHandle: {} }))],
    ["20 KiB", asserted((credential) => Object.assign(credential, { more: "x".repeat(20_000) }))],
  ])("%s is no assertion", (_, posted) => {
    expect(readAssertion(posted)).toBeUndefined();
    expect(readRegistration(posted)).toBeUndefined();
  });

  test("a new credential keeps at most eight known transports", () => {
    const made = JSON.parse(
      newAuthenticator(ORIGIN).create({ challenge: "Y2g", rp: { id: "id.example.com" }, user: { id: "dXNlcg" } }),
    );
    made.response.transports = ["usb", 1, "<b>", "hybrid", ...Array(20).fill("nfc")];
    const { transports = [] } = readRegistration(JSON.stringify(made))?.response ?? {};
    expect(transports.slice(0, 3)).toEqual(["usb", "hybrid", "nfc"]);
    expect(transports).toHaveLength(8);
  });

  test.each<[unknown, boolean]>([
    [{ crossOrigin: false }, false],
    [{}, false],
    [{ crossOrigin: true }, true],
    [{ crossOrigin: true, topOrigin: ORIGIN }, true],
    [{ crossOrigin: "false" }, true],
    ["text", true],
  ])("N58 client data %j is cross-origin: %s", (data, crossOrigin) => {
    expect(isCrossOrigin(clientData(data))).toBe(crossOrigin);
  });
});
