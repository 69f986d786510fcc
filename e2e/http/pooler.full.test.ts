import { startTransactionPooler } from "@gatehouse/db/testing/transaction-pooler";
import { expect, test } from "vitest";
import { CLIENTS } from "../harness/fixture.ts";
import { callApi, obtainTokens, postAs, refresh, signIn } from "../harness/flow.ts";
import { startWeb } from "../harness/gatehouse.ts";
import { newInstallation } from "../harness/installation.ts";

const { web, service } = CLIENTS;
const TIMEOUT = 120_000;

// What each statement does behind a pooler is held by packages/db/src/postgres/pooler.test.ts.
test(
  "OP-27 behind a pooler in transaction mode users sign in, clients get tokens, and each process warns once",
  async () => {
    const own = await newInstallation("postgres", { WEB_CONCURRENCY: "2" });
    const pooler = await startTransactionPooler(own.env["DATABASE_URL"] ?? "");
    const server = await startWeb({ ...own.env, DATABASE_URL: pooler.url }, own.port);
    const tokens = await obtainTokens(await signIn(own.issuer, "races"), web);
    const answers = await Promise.all([
      ...Array.from({ length: 30 }, () => postAs(own.issuer, "/token", service, { grant_type: "client_credentials" })),
      refresh(own.issuer, web, tokens.refresh),
      callApi(own.issuer, tokens.access),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(server.output()).not.toMatch(/"level":[56]0/);
    const warnings = server.output().split("DATABASE_PREPARE=off").length - 1;
    expect(warnings).toBeGreaterThanOrEqual(1);
    expect(warnings).toBeLessThanOrEqual(3);
    await server.stop();
    await pooler.stop();
    await own.remove();
  },
  TIMEOUT,
);
