import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { startWeb } from "../harness/gatehouse.ts";
import { json, send } from "../harness/http.ts";
import { freePort, type Running } from "../harness/processes.ts";
import { consoleToken, query } from "../harness/trpc.ts";

const STREAM = "/api/deliveries/stream";
const MFA = "urn:gatehouse:acr:mfa";

// The tokens are older than the setting, as after an operator has changed it.
describe("data of the console outside and inside tRPC, MF-10", () => {
  const issuer = inject("issuer");
  let demanding: Running;
  let origin: string;
  let admin: string;
  let viewer: string;
  beforeAll(async () => {
    [admin, viewer] = [await consoleToken(issuer, "admin"), await consoleToken(issuer, "viewer")];
    const port = await freePort();
    origin = `http://localhost:${port}`;
    demanding = await startWeb({ ...inject("env"), GATEHOUSE_MFA_ROLES: "admin,developer" }, port);
  });
  afterAll(() => demanding?.stop());

  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

  test("N62 a token at the level of a password is refused in both, with the level to request", async () => {
    const [stream, procedure] = [
      await send(origin, STREAM, { headers: bearer(admin) }),
      await query(origin, "applications.list", {}, admin),
    ];
    expect([stream.status, procedure.status]).toEqual([401, 401]);
    expect(json(stream)).toMatchObject({ error: "insufficient_user_authentication" });
    const challenge = stream.headers.get("www-authenticate");
    expect(challenge).toContain('error="insufficient_user_authentication"');
    expect(challenge).toContain(`acr_values="${MFA}"`);
    expect(procedure.headers.get("www-authenticate")).toBe(challenge);
  });

  test("N62 so is HEAD", async () => {
    expect((await send(origin, STREAM, { method: "HEAD", headers: bearer(admin) })).status).toBe(401);
  });

  test("a role that needs no second factor reads the stream as before", async () => {
    expect((await send(origin, STREAM, { method: "HEAD", headers: bearer(viewer) })).status).toBe(200);
  });
});
