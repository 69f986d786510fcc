import { expect, test } from "vitest";
import { openDatabase } from "../database.ts";
import { unverifiedTransport } from "./transport.ts";

const AT = "postgres://gatehouse:secret@db.example.com/gatehouse";

test.each([
  ["without sslmode", AT, "no TLS"],
  ["with sslmode=disable", `${AT}?sslmode=disable`, "no TLS"],
  ["with sslmode=no-verify", `${AT}?sslmode=no-verify`, "nobody checks"],
  ["with libpq's meaning of require", `${AT}?uselibpqcompat=true&sslmode=require`, "nobody checks"],
  ["to a private network", AT.replace("db.example.com", "10.0.0.5"), "no TLS"],
])("OP-100 a connection %s is a warning that says what to set, without the password", (_, url, problem) => {
  const warning = unverifiedTransport(url);
  expect(warning).toContain(problem);
  expect(warning).toContain("sslmode=verify-full");
  expect(warning).not.toContain("secret");
});

test.each([
  ["that is verified", `${AT}?sslmode=verify-full`],
  ["on this machine", AT.replace("db.example.com", "127.0.0.1:5433")],
  ["by name on this machine", AT.replace("db.example.com", "localhost")],
  ["over IPv6 on this machine", AT.replace("db.example.com", "[::1]")],
  ["over a socket", "postgres:///gatehouse?host=/var/run/postgresql"],
])("OP-100 a connection %s is none", (_, url) => {
  expect(unverifiedTransport(url)).toBeUndefined();
});

test("OP-100 opening such a database warns", async () => {
  const warnings: string[] = [];
  const database = await openDatabase(AT, { warn: (message) => void warnings.push(message) });
  await database.close();
  expect(warnings).toEqual([expect.stringContaining("db.example.com has no TLS")]);
});
