import { expect, test } from "vitest";
import { keepsPassword, readSmtpUrl, smtpUrlOf, withEncryption } from "./smtp-url.ts";

test.each([
  "smtp://mail.example.com:587",
  "smtps://mailer@mail.example.com:465",
  "smtp://me%40shop.example:p%2F%3Aw@mail.example.com:2525",
  "smtp://[::1]:1025",
  "",
])("CO-69 %j is the same after it was shown in the fields", (url) => {
  expect(smtpUrlOf(readSmtpUrl(url))).toBe(url);
});

test("the port follows the encryption unless it was chosen", () => {
  const usual = readSmtpUrl("smtp://mail.example.com:587");
  expect(withEncryption(usual, "tls").port).toBe("465");
  expect(withEncryption({ ...usual, port: "2525" }, "tls").port).toBe("2525");
});

test("the saved password is kept for the same server and user only", () => {
  const saved = readSmtpUrl("smtp://mailer@mail.example.com:587");
  expect(keepsPassword(saved, { ...saved })).toBe(true);
  for (const change of [{ host: "elsewhere.example" }, { user: "" }, { port: "25" }, { encryption: "tls" }] as const)
    expect(keepsPassword(saved, { ...saved, ...change })).toBe(false);
});
