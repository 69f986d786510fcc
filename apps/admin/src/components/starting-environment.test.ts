import { expect, test } from "vitest";
import { startingEnvironment } from "./starting-environment.ts";

test("CO-03 lists start in development on the developer's own machine, and with all environments elsewhere", () => {
  for (const issuer of ["http://localhost:3000", "http://127.0.0.1:3000", "http://[::1]:3000"])
    expect(startingEnvironment(issuer), issuer).toEqual({ environment: "development" });
  for (const issuer of ["https://id.example.com", "http://localhost.example.com", "http://10.0.0.1:3000"])
    expect(startingEnvironment(issuer), issuer).toEqual({});
});
