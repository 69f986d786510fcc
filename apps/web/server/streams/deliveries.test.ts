import { ACR } from "@gatehouse/auth";
import { issueToken } from "@gatehouse/console/testing/callers";
import { seedApplication } from "@gatehouse/console/testing/installation";
import { createUser } from "@gatehouse/console/users/users";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { GET } from "../../app/api/deliveries/stream/route.ts";
import { startTestApp } from "../start/testing/test-app.ts";

describe("the stream of deliveries", () => {
  let running: Awaited<ReturnType<typeof startTestApp>>;
  let userId: string;
  let clientId: string;

  beforeAll(async () => {
    running = await startTestApp();
    const { deps } = running.app;
    ({ clientId } = await seedApplication(deps));
    ({ id: userId } = await createUser(
      { email: "ada@example.com", name: "Ada", password: "a long enough password", role: "admin" },
      deps,
    ));
    const totp = { secret: "sealed", lastStep: 0, createdAt: deps.now() };
    await deps.people.addTotp({ userId, signInEpoch: 0 }, totp, undefined, {});
  });
  afterAll(() => running.close());

  test.each([
    ["an hour ago", { acr: ACR.mfa, secondsAgo: 3600 }, "production"],
    ["now, but without the second factor that the admin has", { acr: ACR.password, secondsAgo: 0 }, "production"],
    [
      "now, at a provider that does not say when",
      { acr: ACR.mfa, secondsAgo: 0, undated: true as const },
      "production",
    ],
    ["now, with every factor", { acr: ACR.mfa, secondsAgo: 0 }, null],
  ])("CO-56 CO-88 SN-03 after a sign-in %s", async (_, { secondsAgo, ...level }, hidden) => {
    const { deps } = running.app;
    const context = { authTime: deps.now() - secondsAgo, ...level };
    const token = await issueToken(deps, { clientId, userId, scope: "webhooks:read webhooks:reveal", context });
    const request = new Request("http://localhost:3000/api/deliveries/stream", {
      headers: { authorization: `Bearer ${token}` },
    });
    const response = await GET(request, { params: {} });
    await response.body?.cancel();
    expect([response.status, response.headers.get("gatehouse-needs-fresh-sign-in")]).toEqual([200, hidden]);
  });
});
