import { describe, expect, test } from "vitest";
import { forwardProblems } from "./rules.ts";

const config = (issuer: string) => ({ issuer, resource: `${issuer}/api` });
const DEPLOYED = { environment: "staging", config: config("https://gate.example") } as const;
const LOCAL = { environment: "development", config: config("http://localhost:3000") } as const;
const to = (url: string, events: string[] | null = null) => ({ url, events });

describe("where events can be forwarded, PK-56", () => {
  test.each([
    ["https://app.example/hooks", DEPLOYED],
    ["https://app.example:8443/hooks?tenant=1", { ...DEPLOYED, environment: "production" }],
    ["http://localhost:4000/hooks", LOCAL],
    ["http://127.0.0.1:4000/hooks", LOCAL],
    ["http://[::1]:4000/hooks", LOCAL],
  ] as const)("%s is allowed", (url, place) => {
    expect(forwardProblems(to(url), place)).toEqual([]);
  });

  test.each([
    ["no URL", "app.example/hooks", DEPLOYED, /must be a URL like/],
    ["http", "http://app.example/hooks", DEPLOYED, /must be https/],
    ["http in development", "http://app.example/hooks", LOCAL, /must be https/],
    ["another scheme", "file:///etc/passwd", DEPLOYED, /must be https/],
    ["credentials", "https://ada:secret@app.example/", DEPLOYED, /must not have a user name or password/],
    ["a fragment", "https://app.example/#hooks", DEPLOYED, /must not have a fragment/],
    ["this server", "https://gate.example/api/webhooks/stripe", DEPLOYED, /is this server itself/],
    ["this server in other letters", "https://GATE.example:443/hooks", DEPLOYED, /is this server itself/],
    [
      "this machine",
      "http://localhost:4000/hooks",
      { ...LOCAL, environment: "staging" },
      /only endpoints of development/,
    ],
    ["this machine by its address", "https://127.0.0.1/hooks", DEPLOYED, /only endpoints of development/],
    ["a deployed server's machine", "http://localhost/", { ...DEPLOYED, environment: "development" }, /gatehouse tail/],
  ] as const)("%s is refused as the URL", (_, url, place, message) => {
    expect(forwardProblems(to(url), place)).toEqual([{ path: "forward.url", message: expect.stringMatching(message) }]);
  });

  test.each([
    ["an empty list", [], "forward.events"],
    ["an empty type", ["invoice.paid", ""], "forward.events.1"],
    ["a * that is not at the end", ["*.paid"], "forward.events.0"],
  ])("%s is refused as the events", (_, events, path) => {
    expect(forwardProblems(to("https://app.example/", events), DEPLOYED)).toMatchObject([{ path }]);
  });
});
