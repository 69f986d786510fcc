import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { deliver, expectHandledOnce } from "../harness/acknowledged.ts";
import { CLIENTS } from "../harness/fixture.ts";
import { obtainCode, postAs, redeem, refresh, signIn, tokensOf } from "../harness/flow.ts";
import { gatehouse, startWeb } from "../harness/gatehouse.ts";
import { json, send } from "../harness/http.ts";
import { newInstallation } from "../harness/installation.ts";
import { createDatabase } from "../harness/run.ts";

/** Asks again and again until `end`, which resolves to every status. */
function keepAsking(ask: (turn: number) => Promise<{ status: number }>) {
  const statuses: number[] = [];
  let ended = false;
  const asking = (async () => {
    for (let turn = 0; !ended; turn++) {
      statuses.push((await ask(turn)).status);
      await pause(20);
    }
  })();
  return {
    async end() {
      ended = true;
      await asking;
      return statuses;
    },
  };
}

test("OP-55 a running installation moves to PostgreSQL and back: reads are answered, writes answer 503, and what was issued before counts afterwards", async () => {
  const { port, issuer, folder, env, remove } = await newInstallation("sqlite");
  let server = await startWeb(env, port);
  try {
    const ada = await signIn(issuer, "races");
    let { access, refresh: renewal } = tokensOf(await redeem(issuer, CLIENTS.web, await obtainCode(ada, CLIENTS.web)));
    const read = () => send(issuer, "/api/resource", { headers: { authorization: `Bearer ${access}` } });
    const write = () => postAs(issuer, "/token", CLIENTS.service, { grant_type: "client_credentials" });
    const delivered = ["before"];
    expect((await deliver(issuer, "before")).status).toBe(200);

    let current = env;
    for (const to of [await createDatabase("postgres", folder, []), `file:${join(folder, "back.db")}`]) {
      await expectHandledOnce(current["DATABASE_URL"] ?? "", delivered);
      const output = server.watchOutput();
      await gatehouse(["maintenance", "on"], current);
      await expect.poll(async () => (await write()).status).toBe(503);
      const refused = await deliver(issuer, "refused");
      expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, expect.stringMatching(/^\d+$/)]);
      expect((await read()).status).toBe(200);
      // The process of the webhook handlers stops writing too.
      await expect.poll(() => output().split("maintenance began").length - 1).toBe(2);
      await gatehouse(["maintenance", "off"], current);
      await expect.poll(async () => (await write()).status).toBe(200);

      const reads = keepAsking(read);
      const writes = keepAsking(async (turn) => {
        const id = `${to.slice(0, 4)}_${turn}`;
        const answer = await deliver(issuer, id);
        if (answer.status === 200) delivered.push(id);
        return answer;
      });
      const moved = await gatehouse(["move", "--to", to], current);
      expect(moved).toMatchObject({ dry_run: false, rows: expect.any(Number) });
      expect(new Set(await reads.end())).toEqual(new Set([200]));
      expect(new Set(await writes.end())).toEqual(new Set([200, 503]));
      await expect(gatehouse(["keys", "list"], current)).rejects.toMatchObject({ code: 78 });
      await server.stop();

      current = { ...env, DATABASE_URL: to };
      server = await startWeb(current, port);
      expect((await read()).status).toBe(200);
      expect((await ada.request("/api/protected/me")).status).toBe(200);
      // The first and the last ones that were acknowledged.
      for (const id of [...delivered.slice(0, 20), ...delivered.slice(-50)])
        expect(json(await deliver(issuer, id))).toMatchObject({ duplicate: true });
      ({ access, refresh: renewal } = tokensOf(await refresh(issuer, CLIENTS.web, renewal)));
      expect((await read()).status).toBe(200);
    }
    await expectHandledOnce(current["DATABASE_URL"] ?? "", delivered);
  } finally {
    await server.crash();
    await remove();
  }
}, 300_000);
