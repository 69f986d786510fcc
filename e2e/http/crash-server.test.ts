import { expect, test } from "vitest";
import { deliver, expectHandledOnce, startSenders } from "../harness/acknowledged.ts";
import { CLIENTS } from "../harness/fixture.ts";
import { obtainCode, redeem, refresh, refusal, signIn, tokensOf } from "../harness/flow.ts";
import { startWeb } from "../harness/gatehouse.ts";
import { json } from "../harness/http.ts";
import { newInstallation } from "../harness/installation.ts";

test("D7 OP-23 after a killed process every acknowledged event is there and handled exactly once, and a spent code or refresh token stays spent", async () => {
  const { port, issuer, env, remove } = await newInstallation("sqlite", { GATEHOUSE_JOB_LEASE_SECONDS: "5" });
  let server = await startWeb(env, port);
  const ada = await signIn(issuer, "races");
  const obtained = await obtainCode(ada, CLIENTS.web);
  const spent = tokensOf(await redeem(issuer, CLIENTS.web, obtained));
  const current = tokensOf(await refresh(issuer, CLIENTS.web, spent.refresh));
  const senders = startSenders(issuer);
  try {
    await expect.poll(() => senders.acknowledged.length, { interval: 10 }).toBeGreaterThan(50);
    await server.crash();
    const lost = [];
    const acknowledged = [...senders.acknowledged];
    server = await startWeb(env, port);
    await senders.end();
    for (const id of acknowledged) if (json(await deliver(issuer, id))["duplicate"] !== true) lost.push(id);
    expect(lost).toEqual([]);
    const successor = await refresh(issuer, CLIENTS.web, current.refresh);
    expect(successor.status).toBe(200);
    expect(refusal(await refresh(issuer, CLIENTS.web, spent.refresh))).toEqual([400, "invalid_grant"]);
    // The reuse revoked the family.
    expect(refusal(await refresh(issuer, CLIENTS.web, tokensOf(successor).refresh))).toEqual([400, "invalid_grant"]);
    expect(refusal(await redeem(issuer, CLIENTS.web, obtained))).toEqual([400, "invalid_grant"]);
    expect((await ada.request("/api/protected/me")).status).toBe(200);
    await expectHandledOnce(env["DATABASE_URL"] ?? "", senders.acknowledged);
  } finally {
    await senders.end();
    await server.crash();
    await remove();
  }
}, 180_000);
