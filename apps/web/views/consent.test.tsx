/** @jsxImportSource preact */
import { renderToString } from "preact-render-to-string";
import { describe, expect, test } from "vitest";
import { ConsentPage } from "./consent.tsx";
import { DeviceConfirmPage } from "./device.tsx";
import { frame } from "./testing/frame.ts";

const NOON = 1_800_000_000;
const client = { clientId: "shop", applicationName: "Demo shop", environment: "production", type: "web" } as const;
const read = { name: "api:read", description: "read your data", resource: null };
const write = { name: "api:write", description: "change your data", resource: null };

/** The list below each heading of the page. */
function lists(html: string): Record<string, string[]> {
  const parts = html.split("<h2>").slice(1);
  return Object.fromEntries(
    parts.map((part) => [
      part.split("</h2>")[0] ?? "",
      [...part.matchAll(/<span>([^<]*)<\/span>/g)].map(([, words]) => words ?? ""),
    ]),
  );
}

const consent = (scopes: { name: string; description: string; resource: string | null; isNew: boolean }[]) =>
  lists(
    renderToString(
      <ConsentPage
        frame={frame()}
        view={{
          request: "r",
          client,
          redirectHost: "shop.example",
          scopes,
          unverified: false,
          selfDescribed: undefined,
          testRun: false,
          onThisMachine: false,
        }}
        csrf="c"
        email="e"
      />,
    ),
  );

describe("the consent page", () => {
  test.each([
    ["everything at first", [true, true], { "This will allow it to": ["read your data", "change your data"] }],
    [
      "later only for new scopes, and lists the earlier ones",
      [false, true],
      { "This will also allow it to": ["change your data"], "You already allow it to": ["read your data"] },
    ],
    [
      "for earlier scopes when only those are requested",
      [false, false],
      { "You already allow it to": ["read your data", "change your data"] },
    ],
  ])("AZ-33 AZ-34 asks for consent: %s", (_, [first = true, second = true], expected) => {
    expect(
      consent([
        { ...read, isNew: first },
        { ...write, isNew: second },
      ]),
    ).toEqual(expected);
  });

  test("AZ-34 says what the app learns without any scope", () => {
    expect(Object.keys(consent([]))).toEqual(["This will allow it to see that you have an account"]);
  });
});

describe("the device page", () => {
  const view = {
    userCode: "BCDF-GHJK",
    shown: "s",
    client,
    scopes: [read],
    requestedAt: NOON,
    expiresAt: NOON + 600,
    testRun: false,
  };
  const html = (requestedAddress: string | null, requestedUserAgent: string | null = null) => {
    const shown = { ...view, requestedAddress, requestedUserAgent };
    return renderToString(<DeviceConfirmPage frame={frame()} view={shown} csrf="c" email="e" now={NOON + 190} />);
  };

  test("DF-10 shows from which address, with what and when the request came", () => {
    const chrome =
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36";
    expect(html("192.0.2.7", chrome)).toMatch(
      /Requested from<\/dt><dd><bdi>192\.0\.2\.7, Chrome on Windows<.*Requested<\/dt>.*3 minutes ago</s,
    );
  });

  test.each(["approved by your IT department", "Television/1.0", "Chrome/approved by your IT department (Windows)"])(
    "DF-10 never the words of the user agent itself: %s",
    (userAgent) => {
      expect(html("192.0.2.7", userAgent)).not.toMatch(/IT department|Television/);
      expect(html("192.0.2.7", userAgent)).toContain("<bdi>192.0.2.7");
    },
  );

  test("DF-10 shows the time even if the address is unknown", () => {
    expect(html(null)).not.toContain("Requested from");
    expect(html(null)).toContain("3 minutes ago");
  });
});
