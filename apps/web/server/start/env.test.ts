import { describe, expect, test } from "vitest";
import { readEnv } from "./env.ts";

const GATEHOUSE_SECRET = "only-for-tests-0123456789-0123456789";
const read = (variables: Record<string, string> = {}) =>
  readEnv({ GATEHOUSE_SECRET, ...variables }, import.meta.dirname);

describe("the environment of the web server", () => {
  test("with a loopback issuer it listens on both loopback addresses only", () => {
    expect(read()).toMatchObject({
      issuer: "http://localhost:3000",
      port: 3000,
      hosts: ["127.0.0.1", "::1"],
      trustedProxies: undefined,
    });
  });

  test("with a public issuer it listens on all addresses, unless HOST is set", () => {
    expect(read({ GATEHOUSE_ISSUER: "https://id.example" }).hosts).toEqual(["0.0.0.0"]);
    expect(read({ GATEHOUSE_ISSUER: "https://id.example", HOST: "10.0.0.1" }).hosts).toEqual(["10.0.0.1"]);
  });

  test.each([
    [
      "SE-01 a plain http issuer that is not loopback",
      { GATEHOUSE_ISSUER: "http://id.example" },
      /GATEHOUSE_ISSUER .*https/,
    ],
    ["MD-02 an issuer with a slash at the end", { GATEHOUSE_ISSUER: "https://id.example/" }, /GATEHOUSE_ISSUER/],
    ["a port that is none", { PORT: "eighty" }, /PORT must be a port number/],
    ["a log level that is none", { LOG_LEVEL: "loud" }, /LOG_LEVEL must be one of/],
    ["a proxy switch that is none", { GATEHOUSE_TRUST_PROXY: "yes" }, /GATEHOUSE_TRUST_PROXY must be 0 or 1/],
  ])("rejects %s by name", (_, variables, message) => {
    expect(() => read(variables as Record<string, string>)).toThrow(message);
  });
});
