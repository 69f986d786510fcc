import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Agent } from "../harness/agent.ts";
import { CLIENTS } from "../harness/fixture.ts";
import {
  callApi,
  obtainCode,
  obtainTokens,
  postAs,
  redeem,
  refresh,
  refusal,
  signIn,
  tokensOf,
} from "../harness/flow.ts";
import { ENGINES, sharedGatehouse, startWeb } from "../harness/gatehouse.ts";
import { type Answer, textOf } from "../harness/http.ts";
import { freePort, type Running } from "../harness/processes.ts";
import { newProofKey, proofFor } from "../harness/proof.ts";
import { pushedPath, pushRequest } from "../harness/pushing.ts";

const { web, strictWeb, service } = CLIENTS;
const succeeded = (answers: Answer[]) => answers.filter((answer) => answer.status === 200);
const errors = (answers: Answer[]) =>
  new Set(answers.filter((answer) => answer.status !== 200).map((answer) => refusal(answer).join(" ")));

describe.each(ENGINES)("races on %s", (engine) => {
  let env: Record<string, string>;
  let sibling: Running | undefined;
  let siblingPort = 0;
  let issuer: string;
  let max: Agent;

  beforeAll(async () => {
    ({ issuer, env } = await sharedGatehouse(engine));
    max = await signIn(issuer, "races");
  });
  afterAll(() => sibling?.stop());

  test("N32 TK-14 of 50 parallel redemptions of one code exactly one succeeds, and the replays revoke its tokens", async () => {
    const obtained = await obtainCode(max, web);
    const answers = await Promise.all(Array.from({ length: 50 }, () => redeem(issuer, web, obtained)));
    const won = succeeded(answers);
    expect(won).toHaveLength(1);
    expect(errors(answers)).toEqual(new Set(["400 invalid_grant"]));

    for (const answer of won) {
      const tokens = tokensOf(answer);
      expect(refusal(await callApi(issuer, tokens.access))).toEqual([401, "invalid_token"]);
      expect(refusal(await refresh(issuer, web, tokens.refresh))).toEqual([400, "invalid_grant"]);
    }
  });

  test("N32 CF-20 ten parallel refreshes within the retry window all get the same successor", async () => {
    const first = await obtainTokens(max, web);
    const answers = await Promise.all(Array.from({ length: 10 }, () => refresh(issuer, web, first.refresh)));
    expect(succeeded(answers)).toHaveLength(10);
    expect(new Set(answers.map((answer) => tokensOf(answer).refresh)).size).toBe(1);
    expect(new Set(answers.map((answer) => tokensOf(answer).access)).size).toBe(1);
    const [answer] = answers;
    if (answer) expect((await refresh(issuer, web, tokensOf(answer).refresh)).status).toBe(200);
  });

  test("N32 RT-03 without a retry window at most one of ten succeeds, and its tokens are revoked too", async () => {
    const first = await obtainTokens(max, strictWeb);
    const answers = await Promise.all(Array.from({ length: 10 }, () => refresh(issuer, strictWeb, first.refresh)));
    const won = succeeded(answers);
    expect(won.length).toBeLessThanOrEqual(1);
    expect(errors(answers)).toEqual(new Set(["400 invalid_grant"]));
    for (const answer of won) {
      expect(refusal(await callApi(issuer, tokensOf(answer).access))).toEqual([401, "invalid_token"]);
      expect(refusal(await refresh(issuer, strictWeb, tokensOf(answer).refresh))).toEqual([400, "invalid_grant"]);
    }
  });

  test("N32 D5 of 50 redemptions spread over two server processes exactly one succeeds", async () => {
    const port = await freePort();
    siblingPort = port;
    sibling = await startWeb(env, port);
    const origins = [issuer, `http://localhost:${port}`];
    const obtained = await obtainCode(max, web);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, turn) => redeem(origins[turn % 2] ?? issuer, web, obtained)),
    );
    const won = succeeded(answers);
    expect(won).toHaveLength(1);
    expect(errors(answers)).toEqual(new Set(["400 invalid_grant"]));
    for (const answer of won) expect((await callApi(issuer, tokensOf(answer).access)).status).toBe(401);
  });

  test("PA-04 of 50 authorizations with one pushed request exactly one gets a code", async () => {
    await obtainCode(max, web); // consent exists from here on
    const pushed = await pushRequest(issuer, web);
    const path = pushedPath(web, textOf(pushed, "request_uri"));
    const answers = await Promise.all(Array.from({ length: 50 }, () => max.request(path)));
    const sent = answers.filter((answer) => answer.headers.get("location")?.includes("code="));
    expect(sent).toHaveLength(1);
    expect(new Set(answers.filter((answer) => !sent.includes(answer)).map(({ status }) => status))).toEqual(
      new Set([400]),
    );
  });

  test("DP-01 of 50 uses of one proof, over two processes, exactly one succeeds", async () => {
    const origins = [issuer, sibling === undefined ? issuer : `http://localhost:${siblingPort}`];
    const proof = await proofFor(await newProofKey(), "POST", `${issuer}/token`);
    const ask = (origin = issuer) => postAs(origin, "/token", service, { grant_type: "client_credentials" }, proof);
    const answers = await Promise.all(Array.from({ length: 50 }, (_, turn) => ask(origins[turn % 2])));
    expect(succeeded(answers)).toHaveLength(1);
    expect(errors(answers)).toEqual(new Set(["400 invalid_dpop_proof"]));
  });

  test("the whole flow works, and a replay revokes the tokens", async () => {
    const obtained = await obtainCode(max, web);
    const tokens = tokensOf(await redeem(issuer, web, obtained));
    expect((await callApi(issuer, tokens.access)).status).toBe(200);
    expect(refusal(await redeem(issuer, web, obtained))).toEqual([400, "invalid_grant"]);
    expect((await callApi(issuer, tokens.access)).status).toBe(401);
  });
});
