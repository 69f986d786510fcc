import { expect, test } from "vitest";
import { cookieName } from "./cookie-name.ts";

const at = (issuer: string, host?: string) => cookieName("session", { issuer, ...(host !== undefined && { host }) });

test("SE-08 on https a name has the prefix __Host- and is the same for every installation", () => {
  expect(at("https://id.example.com")).toBe("__Host-gatehouse_session");
  expect(at("https://id.example.com", "https://console.example.com")).toBe("__Host-gatehouse_session");
});

test("SE-08 two installations on one machine have names of their own, since cookies ignore ports", () => {
  const names = ["http://localhost:3000", "http://localhost:4000", "http://127.0.0.1:3000", "http://[::1]:3000"].map(
    (issuer) => at(issuer),
  );
  expect(new Set(names).size).toBe(4);
  for (const name of names) expect(name).toMatch(/^gatehouse_[0-9a-f]{8}_session$/);
  expect(at("https://localhost:3000")).toMatch(/^__Host-gatehouse_[0-9a-f]{8}_session$/);
  expect(at("http://localhost:3000")).toBe(names[0]);
});

test("SE-08 two consoles on one machine keep their sessions, also those of servers elsewhere", () => {
  const [one, other] = [
    at("https://a.example.com", "http://localhost:3001"),
    at("https://b.example.com", "http://localhost:4001"),
  ];
  expect(one).toMatch(/^gatehouse_[0-9a-f]{8}_session$/);
  expect(other).not.toBe(one);
});
