/** @jsxImportSource hono/jsx */
import { describe, expect, test } from "vitest";
import { ConsentPage } from "./consent.tsx";
import { DeviceConfirmPage } from "./device.tsx";

const NOON = 1_800_000_000;
const client = { clientId: "shop", applicationName: "Demo shop", environment: "production", type: "web" } as const;
const read = { name: "api:read", description: "read your data", resource: null };
const write = { name: "api:write", description: "change your data", resource: null };

/** What stands below each heading of the page. */
function lists(html: string): Record<string, string[]> {
  const parts = html.split("<h2>").slice(1);
  return Object.fromEntries(
    parts.map((part) => [part.split("</h2>")[0] ?? "", [...part.matchAll(/<span>([^<]*)<\/span>/g)].map(([, words]) => words ?? "")]),
  );
}

const consent = (scopes: { name: string; description: string; resource: string | null; isNew: boolean }[]) =>
  lists(
    String(
      <ConsentPage
        view={{ client, redirectHost: "shop.example", scopes, unverified: false, selfDescribed: undefined, onThisMachine: false }}
        request="r"
        csrf="c"
        email="e"
      />,
    ),
  );

describe("the consent page", () => {
  test.each([
    ["at first everything", [true, true], { "This will let it": ["read your data", "change your data"] }],
    [
      "later only what is new, and lists what was allowed before",
      [false, true],
      { "This will also let it": ["change your data"], "You allowed it before to": ["read your data"] },
    ],
    [
      "again, asked for what was allowed before, that",
      [false, false],
      { "You allowed it before to": ["read your data", "change your data"] },
    ],
  ])("AZ-33 AZ-34 asks %s", (_, [first = true, second = true], expected) => {
    expect(
      consent([
        { ...read, isNew: first },
        { ...write, isNew: second },
      ]),
    ).toEqual(expected);
  });

  test("AZ-34 without any scope it says what remains", () => {
    expect(Object.keys(consent([]))).toEqual(["This will let it know that you have an account here"]);
  });
});

describe("the device page", () => {
  const view = { userCode: "BCDF-GHJK", client, scopes: [read], requestedAt: NOON, expiresAt: NOON + 600 };
  const html = (requestedFrom: string | null) =>
    String(<DeviceConfirmPage view={{ ...view, requestedFrom }} csrf="c" email="e" now={NOON + 190} />);

  test("DF-10 says from which address and when the device asked", () => {
    expect(html("192.0.2.7, Television/1.0")).toMatch(/Asked from<\/dt><dd>192\.0\.2\.7, Television\/1\.0<.*Asked<\/dt>.*3 minutes ago</s);
  });

  test("DF-10 says when, also where the address is unknown", () => {
    expect(html(null)).not.toContain("Asked from");
    expect(html(null)).toContain("3 minutes ago");
  });
});
