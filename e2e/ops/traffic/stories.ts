import { randomBytes, randomInt } from "node:crypto";
import { SignJWT } from "jose";
import { DEVICE_CODE, TOKEN_EXCHANGE } from "../../harness/fixture.ts";
import { newProof } from "../../harness/flow.ts";
import { CLIENTS, type SigningKey } from "../fleet/fixture.ts";
import type { Answered, Asking } from "./ask.ts";
import { formCall } from "./client.ts";
import { eventCall } from "./events.ts";
import { type Chain, tokensIn } from "./ledger.ts";

const ACCESS_TOKEN = "urn:ietf:params:oauth:token-type:access_token";
const ASSERTION = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
const { web, strict, service, keys, device } = CLIENTS;

/** Some requests are sent twice at once: what may happen once must not happen twice. */
const isRace = (share: number) => Math.random() < share;
const anyOf = <Item>(items: readonly Item[]): Item | undefined => items[randomInt(Math.max(1, items.length))];

/** A parameter of the URL that a response redirects to. */
const inLocation = ({ headers }: Answered, name: string) =>
  new URL(String(headers["location"]), "https://localhost").searchParams.get(name);

export type Stories = Record<string, () => Promise<void>>;

/**
 * What clients do, one request or a few each. A story notes in the ledger what was acknowledged, and at once what must
 * not be. `approve` allows a device in a browser. `issuer`: the audience of assertions.
 */
export function storiesOf(
  asking: Asking,
  { issuer, key, approve }: { issuer: string; key: SigningKey; approve: (userCode: string) => Promise<boolean> },
): Stories {
  const { ledger, ask, violate } = asking;
  let events = 0;

  const keep = ({ text }: Answered): ReturnType<typeof tokensIn> => {
    const tokens = tokensIn(text);
    if (tokens.access !== undefined) ledger.live.push(tokens.access);
    return tokens;
  };

  async function clientCredentials(): Promise<void> {
    const answer = await ask("client_credentials", formCall("/token", { grant_type: "client_credentials" }, service));
    if (answer) keep(answer);
  }

  async function api(): Promise<void> {
    const token = anyOf(ledger.live);
    if (token === undefined) return clientCredentials();
    await ask("api", { path: "/api/resource", headers: { authorization: `Bearer ${token}` } });
  }

  async function introspect(): Promise<void> {
    const isDead = isRace(0.3) && ledger.dead.length > 0;
    const token = anyOf(isDead ? ledger.dead : ledger.live);
    if (token === undefined) return clientCredentials();
    const answer = await ask("introspect", formCall("/introspect", { token }, service));
    if (!answer) return;
    const { active } = JSON.parse(answer.text) as { active: boolean };
    if (active === isDead) violate(`introspection of ${isDead ? "a revoked" : "an issued"} token: active ${active}`);
  }

  async function revoke(): Promise<void> {
    const answer = await ask("client_credentials", formCall("/token", { grant_type: "client_credentials" }, service));
    if (!answer) return;
    const { access = "" } = tokensIn(answer.text); // in no list: nobody else uses it
    if (await ask("revoke", formCall("/revoke", { token: access }, service))) ledger.dead.push(access);
  }

  /** An authorization code, of a pushed request now and then. */
  async function obtainCode(client: typeof web): Promise<{ code: string; verifier: string } | undefined> {
    const cookie = anyOf(ledger.sessions);
    if (cookie === undefined) return undefined;
    const { verifier, challenge } = newProof();
    const request = {
      response_type: "code",
      redirect_uri: client.redirect_uris[0] ?? "",
      code_challenge: challenge,
      code_challenge_method: "S256",
      scope: "api:read offline_access",
      state: "s",
    };
    let query = new URLSearchParams({ client_id: client.client_id, ...request });
    if (isRace(0.25)) {
      const pushed = await ask("par", formCall("/par", request, client), [201]);
      if (!pushed) return undefined;
      const { request_uri } = JSON.parse(pushed.text) as { request_uri: string };
      query = new URLSearchParams({ client_id: client.client_id, request_uri });
    }
    const call = { path: `/authorize?${query}`, headers: { cookie, accept: "text/html", "sec-fetch-site": "none" } };
    // RFC 6749 §4.1.2.1: a client is told with a redirect.
    const answer = await ask("authorize", call, [303], (one) => inLocation(one, "error") === "temporarily_unavailable");
    const code = answer && inLocation(answer, "code");
    if (answer && !code) violate(`authorize redirects to ${String(answer.headers["location"]).slice(0, 200)}`);
    return code ? { code, verifier } : undefined;
  }

  const redeem = (client: typeof web, { code, verifier }: { code: string; verifier: string }) => {
    const fields = { grant_type: "authorization_code", code, code_verifier: verifier };
    return formCall("/token", { ...fields, redirect_uri: client.redirect_uris[0] ?? "" }, client);
  };

  async function code(): Promise<void> {
    const obtained = await obtainCode(web);
    if (!obtained) return;
    if (isRace(0.2)) {
      const call = redeem(web, obtained);
      const answers = await Promise.all([1, 2].map(() => ask("code race", call, [200, 400])));
      const won = answers.filter((answer) => answer?.status === 200);
      if (won.length > 1) violate("a code was redeemed twice");
      if (won.length > 0) ledger.spentCodes.push(obtained); // the loser's replay revoked the tokens
      return;
    }
    const answer = await ask("authorization_code", redeem(web, obtained));
    if (!answer) return;
    ledger.spentCodes.push(obtained);
    const { refresh } = keep(answer);
    if (refresh !== undefined) ledger.chains.push({ clientId: "web", current: refresh, replaced: [], busy: false });
  }

  /** Of two uses of a refresh token that has no retry window, one succeeds at most. */
  async function theft(): Promise<void> {
    const obtained = await obtainCode(strict);
    const answer = obtained && (await ask("authorization_code", redeem(strict, obtained)));
    const stolen = answer && tokensIn(answer.text).refresh;
    if (!stolen) return;
    const call = formCall("/token", { grant_type: "refresh_token", refresh_token: stolen }, strict);
    const answers = await Promise.all([1, 2].map(() => ask("refresh race", call, [200, 400])));
    if (answers.filter((one) => one?.status === 200).length > 1) violate("a refresh token was spent twice");
  }

  async function refresh(): Promise<void> {
    const chain = anyOf(ledger.chains.filter(({ busy }) => !busy));
    if (chain === undefined) return code();
    chain.busy = true;
    await rotate(chain).finally(() => {
      chain.busy = false;
    });
  }

  /** With a retry window the second of two uses gets the first one's answer. */
  async function rotate(chain: Chain): Promise<void> {
    const client = chain.clientId === "web" ? web : device;
    const call = formCall("/token", { grant_type: "refresh_token", refresh_token: chain.current }, client);
    const answers = await Promise.all(
      (isRace(0.1) ? [1, 2] : [1]).map(() => ask("refresh_token", call).then((answer) => answer && keep(answer))),
    );
    const next = answers.flatMap((tokens) => tokens?.refresh ?? []);
    if (new Set(next).size > 1) violate("a refresh token has two successors");
    const [successor] = next;
    if (successor === undefined) return;
    chain.replaced.push(chain.current);
    chain.current = successor;
  }

  async function exchange(): Promise<void> {
    const subject = anyOf(ledger.live);
    if (subject === undefined) return clientCredentials();
    const fields = { grant_type: TOKEN_EXCHANGE, subject_token: subject, subject_token_type: ACCESS_TOKEN };
    // A chain of exchanges is limited to five.
    const answer = await ask("token-exchange", formCall("/token", fields, service), [200, 400]);
    if (answer?.status === 200) keep(answer);
  }

  async function assertion(): Promise<void> {
    const now = Math.floor(Date.now() / 1000);
    const { client_id } = keys;
    const claims = { iss: client_id, sub: client_id, aud: issuer, iat: now, exp: now + 60 };
    const jwt = await new SignJWT({ ...claims, jti: randomBytes(16).toString("hex") })
      .setProtectedHeader({ alg: "ES256", kid: key.kid })
      .sign(key.privateKey);
    const fields = { grant_type: "client_credentials", client_assertion: jwt, client_assertion_type: ASSERTION };
    const call = formCall("/token", fields);
    const answers = await Promise.all((isRace(0.3) ? [1, 2] : [1]).map(() => ask("assertion", call, [200, 401])));
    const accepted = answers.filter((answer) => answer?.status === 200);
    if (accepted.length > 1) violate("a client assertion was accepted twice");
    for (const answer of accepted) if (answer) keep(answer);
  }

  async function deviceFlow(): Promise<void> {
    const begun = await ask("device_authorization", formCall("/device_authorization", { scope: "api:read" }, device));
    if (!begun) return;
    const { device_code, user_code } = JSON.parse(begun.text) as { device_code: string; user_code: string };
    if (!(await approve(user_code))) return;
    const call = formCall("/token", { grant_type: DEVICE_CODE, device_code }, device);
    const answers = await Promise.all([1, 2].map(() => ask("device_code", call, [200, 400])));
    const won = answers.filter((answer) => answer?.status === 200);
    if (won.length > 1) violate("a device code was redeemed twice");
    const [answer] = won;
    if (!answer) return;
    ledger.spentDeviceCodes.push(device_code);
    const { refresh } = keep(answer);
    if (refresh !== undefined) ledger.chains.push({ clientId: "device", current: refresh, replaced: [], busy: false });
  }

  async function webhook(): Promise<void> {
    const id = `${process.pid}_${events++}`;
    const answers = await Promise.all((isRace(0.1) ? [1, 2] : [1]).map(() => ask("webhook", eventCall(id))));
    if (answers.some(Boolean)) ledger.events.push(id);
  }

  return {
    clientCredentials,
    api,
    introspect,
    revoke,
    code,
    theft,
    refresh,
    exchange,
    assertion,
    deviceFlow,
    webhook,
  };
}
