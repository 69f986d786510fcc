import { NextResponse } from "next/server";
import { expect, test } from "vitest";
import { setCookie } from "../cookies/header.ts";
import { parsed } from "./current-request.ts";

test("PK-32 PK-35 handlers of Next send a cookie as it was made, and a deleted one with a date in the past", () => {
  const response = new NextResponse();
  const made = [
    setCookie("kept", "sealed", { secure: true, maxAge: 60 }),
    setCookie("deleted", "", { secure: true, maxAge: 0 }),
  ];
  for (const cookie of parsed(made)) response.cookies.set(cookie);
  const [kept, deleted] = response.headers.getSetCookie();
  for (const part of ["kept=sealed", "Path=/", "Max-Age=60", "Secure", "HttpOnly", "SameSite=lax"])
    expect(kept?.split("; ")).toContain(part);
  for (const part of ["deleted=", "Path=/", "Expires=Thu, 01 Jan 1970 00:00:00 GMT", "Secure", "HttpOnly"])
    expect(deleted?.split("; ")).toContain(part);
});
