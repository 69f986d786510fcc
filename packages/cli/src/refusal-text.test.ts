import type { RefusalView } from "@gatehouse/console/failures/refusals";
import { expect, test } from "vitest";
import { refusalText } from "./refusal-text.ts";

const refusal: RefusalView = {
  errorId: "7K3M9Q2XTV",
  at: 1_800_000_000,
  endpoint: "/authorize",
  error: "invalid_request",
  cause: "redirect_uri_unregistered",
  explanation: "redirect_uri does not exactly match a registered URI of the client.",
  message: "redirect_uri is not registered",
  detail: { sent: "https://shop.example/cb/", nearest: "https://shop.example/cb", differsAt: 23 },
  actor: "client developer",
  howToFix: "Register the exact URI.",
  client: {
    clientId: "shop",
    applicationId: "shop",
    applicationName: "Demo shop",
    name: "Main",
    environment: "production",
  },
  address: "192.0.2.1",
  groupKey: null,
};

const LINK = "https://console.example/go/7K3M9Q2XTV";

test("CO-04 an entry says when, where, who, why, how to fix it and where the console has it; a redirect URI is marked where it differs", () => {
  expect(refusalText(refusal, LINK).split("\n")).toEqual([
    "Error 7K3M9Q2XTV",
    "",
    "  When            2027-01-15 08:00:00 UTC",
    "  Endpoint        /authorize",
    "  Client          shop, Demo shop (production)",
    "  Address         192.0.2.1",
    "  Response        invalid_request",
    "  Cause           redirect_uri_unregistered. redirect_uri does not exactly match a registered URI of the client.",
    "  Message         redirect_uri is not registered",
    "    sent          https://shop.example/cb/",
    "    registered    https://shop.example/cb",
    '                                         ^ byte 24: sent "/" (0x2f), registered end of text',
    "  Who can fix it  the developer of the client",
    "  How to fix it   Register the exact URI.",
    "  In the console  https://console.example/go/7K3M9Q2XTV",
  ]);
});

test("a client that does not exist, and one without redirect URIs, are named as such", () => {
  const client = { clientId: "nobody", applicationId: null, applicationName: null, name: null, environment: null };
  const text = refusalText(
    { ...refusal, client, detail: { sent: "https://a.example", nearest: null, differsAt: 0, asked: "x" } },
    LINK,
  );
  expect(text).toContain("Client          nobody (no such client)");
  expect(text).toContain("registered    no redirect URI");
  expect(text).toContain("    asked         x");
  expect(refusalText({ ...refusal, client: null, address: null }, LINK)).toMatch(
    /Client {10}none named in the request\n {2}Address {9}unknown/,
  );
});

test("CO-50 control characters and marks that reverse text are escaped", () => {
  const text = refusalText({ ...refusal, endpoint: "/token\u001b[2J", message: "a\u202eb\nc", detail: {} }, LINK);
  expect(text).toContain("/token\\u{1b}[2J");
  expect(text).toContain("a\\u{202e}b\\u{a}c");
});
