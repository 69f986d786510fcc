import { createPasswordHasher } from "@gatehouse/accounts";
import { createUser } from "@gatehouse/console/users/users";
import { afterAll, beforeAll, expect, test } from "vitest";
import { GET, POST } from "../../../app/sign-in/route.ts";
import { startTestApp } from "../../start/testing/test-app.ts";

const SIGN_IN = "http://localhost:3000/sign-in";
const [EMAIL, PASSWORD] = ["ada@example.com", "correct horse battery staple"];
let running: Awaited<ReturnType<typeof startTestApp>>;

beforeAll(async () => {
  running = await startTestApp();
  await createUser({ email: EMAIL, name: "Ada", password: PASSWORD, role: "user" }, running.app.deps);
});
afterAll(() => running.close());

async function signIn(email: string): Promise<{ status: number; retryAfter: string | null; text: string }> {
  const form = await GET(new Request(SIGN_IN));
  const csrf = /name="csrf" value="([^"]+)"/.exec(await form.text())?.[1] ?? "";
  const cookie = form.headers.getSetCookie().map((line) => line.split(";")[0]);
  const body = new URLSearchParams({ csrf, email, password: PASSWORD });
  const answer = await POST(new Request(SIGN_IN, { method: "POST", body, headers: { cookie: cookie.join("; ") } }));
  const text = (await answer.text()).replaceAll(email, "…").replaceAll(/<code>[^<]*<\/code>|value="[^"]*"/g, "…");
  return { status: answer.status, retryAfter: answer.headers.get("retry-after"), text };
}

test("PW-06 AB-04 while too many passwords are checked: 503 with Retry-After for every address, and none of it counts as a failure", async () => {
  const { deps } = running.app;
  const { hasher } = deps;
  deps.hasher = createPasswordHasher({ concurrency: 0, waiting: 0 });
  for (let attempt = 0; attempt < 12; attempt++) {
    const [known, unknown] = [await signIn(EMAIL), await signIn("bob@example.com")];
    expect(known).toMatchObject({ status: 503, retryAfter: expect.stringMatching(/^\d+$/) });
    expect(unknown).toEqual(known);
  }
  deps.hasher = hasher;
  expect((await signIn(EMAIL)).status).toBe(303);
});
