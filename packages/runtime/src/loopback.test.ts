import { describe, expect, test } from "vitest";
import { isLocalHost, isLoopbackHost, isLoopbackUrl } from "./loopback.mjs";

describe("one definition of loopback, SE-01 RU-06", () => {
  test.each(["localhost", "127.0.0.1", "[::1]"])("%s can use plain http", (host) => {
    expect([isLoopbackHost(host), isLoopbackUrl(`http://${host}:3000/`), isLocalHost(host)]).toEqual([
      true,
      true,
      true,
    ]);
  });

  test.each(["127.0.0.2", "0.0.0.0", "[::]", "[::ffff:7f00:1]", "app.localhost", "localhost."])(
    "%s leads to this machine, but cannot use plain http",
    (host) => {
      expect([isLoopbackHost(host), isLoopbackUrl(`http://${host}:3000/`), isLocalHost(host)]).toEqual([
        false,
        false,
        true,
      ]);
    },
  );

  test.each(["localhost.example.com", "127.0.0.1.example.com", "192.168.0.1", "example.com"])(
    "%s is another machine",
    (host) => {
      expect([isLoopbackHost(host), isLoopbackUrl(`http://${host}:3000/`), isLocalHost(host)]).toEqual([
        false,
        false,
        false,
      ]);
    },
  );

  test("text that is not a URL is not on loopback", () => {
    expect(isLoopbackUrl("localhost")).toBe(false);
  });
});
