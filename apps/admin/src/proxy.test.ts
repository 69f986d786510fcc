import { NextRequest } from "next/server";
import { expect, test } from "vitest";
import { proxy } from "./proxy.ts";

test.each(["/users/%ff", "/applications/%E0%A4%A", "/%"])("N39 a malformed path gets 400: %s", async (path) => {
  expect((await proxy(new NextRequest(`http://localhost:3001${path}`))).status).toBe(400);
});
