import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { invite } from "@gatehouse/accounts";
import { afterAll, beforeAll, expect, test } from "vitest";

// Calls the handlers directly: the issuer is an IP address, so browsers offer no passkeys.
const ISSUER = "http://127.0.0.1:3000";
const folder = mkdtempSync(join(tmpdir(), "gatehouse-invited-"));
const startApp = async () => (await import("../start/app.ts")).startApp();

beforeAll(() => {
  for (const name of ["DATABASE_URL", "GATEHOUSE_SECRET", "PORT"]) delete process.env[name];
  Object.assign(process.env, {
    GATEHOUSE_DATA_DIR: folder,
    LOG_LEVEL: "silent",
    GATEHOUSE_ISSUER: ISSUER,
    GATEHOUSE_ADMIN_PASSWORD: "only for these tests",
  });
});
afterAll(async () => {
  await (await startApp()).close();
  rmSync(folder, { recursive: true, force: true });
});

const cookiesOf = (response: Response) =>
  response.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
const csrfOf = (html: string) => /name="csrf" value="([^"]+)"/.exec(html)?.[1] ?? "";

test("RG-08 where passkeys are off, an invitation is accepted with a password only", async () => {
  const { deps } = await startApp();
  const draft = { email: "ada@example.com", role: "viewer", invitedBy: "cli", locale: "en" } as const;
  const invited = await invite(draft, () => ({}), deps);
  if (typeof invited === "string") throw new Error(`the invitation was not made: ${invited}`);

  const { GET, POST } = await import("../../app/invitation/route.ts");
  const link = cookiesOf(await GET(new Request(invited.link)));
  const form = await GET(new Request(`${ISSUER}/invitation`, { headers: { cookie: link } }));
  const html = await form.text();
  expect([form.status, html.includes("without_password")]).toEqual([200, false]);

  const cookie = `${link}; ${cookiesOf(form)}`;
  const accept = (fields: Record<string, string>) =>
    POST(
      new Request(`${ISSUER}/invitation`, {
        method: "POST",
        body: new URLSearchParams({ csrf: csrfOf(html), name: "Ada", ...fields }),
        headers: { cookie },
      }),
    );
  expect((await accept({ without_password: "on" })).status).toBe(400);
  expect(await deps.people.findPersonByEmail(draft.email)).toBeUndefined();
  expect((await accept({ password: "a long enough password" })).status).toBe(303);
  expect(await deps.people.findPersonByEmail(draft.email)).toMatchObject({ role: "viewer", emailVerifiedAt: expect.any(Number) });
});
