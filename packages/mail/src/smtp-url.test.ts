import { describe, expect, test } from "vitest";
import { readSender, readSmtpUrl } from "./smtp-url.ts";

describe("GATEHOUSE_SMTP_URL, EM-01", () => {
  test.each([
    ["smtp://mail.example.com", { host: "mail.example.com", port: 587, tls: "starttls", credentials: undefined }],
    ["smtps://mail.example.com", { host: "mail.example.com", port: 465, tls: "implicit", credentials: undefined }],
    ["smtp://127.0.0.1:1025", { host: "127.0.0.1", port: 1025, tls: "none", credentials: undefined }],
    ["smtp://[::1]:1025", { host: "::1", port: 1025, tls: "none", credentials: undefined }],
    [
      "smtp://me%40example.com:p%2Fw@mail.example.com:2525/",
      {
        host: "mail.example.com",
        port: 2525,
        tls: "starttls",
        credentials: { user: "me@example.com", password: "p/w" },
      },
    ],
  ])("EM-01 %s: TLS is required, except on loopback", (url, server) => {
    expect(readSmtpUrl(url)).toEqual(server);
  });

  test.each([
    ["mail.example.com:587", "must be a URL"],
    ["https://mail.example.com", "must be a URL"],
    ["smtp://mail.example.com?tls.rejectUnauthorized=false", "certificates are always checked"],
    ["smtp://user@mail.example.com", "a user and a password, or neither"],
    ["smtp://user:100%@mail.example.com", "%25"],
  ])("refuses %s, and does not repeat the password", (url, message) => {
    expect(() => readSmtpUrl(url)).toThrow(message);
  });
});

describe("GATEHOUSE_MAIL_FROM, EM-01", () => {
  test.each([
    ["no-reply@example.com", { name: "", address: "no-reply@example.com" }],
    ["Example Shop <no-reply@example.com>", { name: "Example Shop", address: "no-reply@example.com" }],
  ])("reads %s", (value, sender) => {
    expect(readSender(value)).toEqual(sender);
  });

  test.each(["", "Example", "a@b, c@d", "A <a@b> <c@d>", "Example <no-reply@example.com>\r\nBcc: eve@evil.example"])(
    "N77 refuses %j",
    (value) => {
      expect(() => readSender(value)).toThrow("must be an address");
    },
  );
});
