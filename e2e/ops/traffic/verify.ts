import { expectKept } from "../../harness/acknowledged.ts";
import { CLIENTS } from "../fleet/fixture.ts";
import { type Call, type Client, formCall } from "./client.ts";
import { eventCall } from "./events.ts";
import { type Ledger, tokensIn } from "./ledger.ts";

const AT_ONCE = 16;
const TRIES = 240;
const { web, device, service } = CLIENTS;

/** How much of the ledger has been compared with the servers. */
export type Mark = { live: number; dead: number; sessions: number; ended: number };
export const NOTHING: Mark = { live: 0, dead: 0, sessions: 0, ended: 0 };

/**
 * Compares what was acknowledged since `mark` with what the servers and the database say now. Resolves to what differs,
 * and the next mark.
 */
export async function verifySince(
  client: Client,
  databaseUrl: string,
  ledger: Ledger,
  mark: Mark,
): Promise<{ lost: string[]; mark: Mark }> {
  const next = {
    live: ledger.live.length,
    dead: ledger.dead.length,
    sessions: ledger.sessions.length,
    ended: ledger.endedSessions.length,
  };
  const introspect = async (token: string) =>
    (JSON.parse((await answerOf(client, formCall("/introspect", { token }, service))).text) as { active: boolean })
      .active;
  const isSignedIn = async (cookie: string) =>
    (await answerOf(client, { path: "/api/protected/me", headers: { cookie } })).status === 200;

  const lost = [
    ...(await failing(ledger.live.slice(mark.live), introspect, "an issued access token is gone")),
    ...(await failing(ledger.dead.slice(mark.dead), not(introspect), "a revoked access token is alive")),
    ...(await failing(ledger.sessions.slice(mark.sessions), isSignedIn, "a session is gone")),
    ...(await failing(ledger.endedSessions.slice(mark.ended), not(isSignedIn), "an ended session is alive")),
  ];
  await expectKept(databaseUrl, [...ledger.events]);
  return { lost, mark: next };
}

/**
 * Everything that may be used once is used again, so this comes last: replays revoke what they find. Resolves to what
 * was not refused, or was refused though it had to work.
 */
export async function verifySpent(client: Client, ledger: Ledger): Promise<string[]> {
  const status = async (call: Call) => (await answerOf(client, call)).status;
  const refresh = (token: string, of: { client_id: string; client_secret?: string }) =>
    formCall("/token", { grant_type: "refresh_token", refresh_token: token }, of);
  const isDuplicate = async (id: string) =>
    (JSON.parse((await answerOf(client, eventCall(id))).text) as { duplicate?: boolean }).duplicate === true;

  const chains = ledger.chains.map(({ clientId, current, replaced }) => ({
    of: clientId === "web" ? web : device,
    current,
    oldest: replaced.length > 1 ? replaced[0] : undefined, // the newest of them is within its retry window
  }));
  const works = async ({ current, of }: (typeof chains)[number]) => {
    const answer = await answerOf(client, refresh(current, of));
    return answer.status === 200 && tokensIn(answer.text).refresh !== undefined;
  };
  const isSpent = async ({ oldest, of }: (typeof chains)[number]) =>
    oldest === undefined || (await status(refresh(oldest, of))) === 400;

  const redeemed = async ({ code, verifier }: Ledger["spentCodes"][number]) => {
    const fields = { grant_type: "authorization_code", code, code_verifier: verifier };
    return (await status(formCall("/token", { ...fields, redirect_uri: web.redirect_uris[0] ?? "" }, web))) === 400;
  };
  const polled = async (code: string) => {
    const fields = { grant_type: "urn:ietf:params:oauth:grant-type:device_code", device_code: code };
    return (await status(formCall("/token", fields, device))) === 400;
  };
  return [
    ...(await failing(chains, works, "an acknowledged refresh token is lost")),
    ...(await failing(chains, isSpent, "a replaced refresh token works")),
    ...(await failing(ledger.spentCodes, redeemed, "a code works twice")),
    ...(await failing(ledger.spentDeviceCodes, polled, "a device code works twice")),
    ...(await failing(ledger.events, isDuplicate, "an acknowledged event is new")),
  ];
}

/** The response to a request, which may be repeated: a server that cannot serve is asked again. */
async function answerOf(client: Client, call: Call): Promise<{ status: number; text: string }> {
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    const reply = await client.send(call);
    if ("headers" in reply && reply.status !== 503) return reply;
    await new Promise((again) => setTimeout(again, 250));
  }
  throw new Error(`no answer to ${call.method ?? "GET"} ${call.path} after ${TRIES} attempts`);
}

/** Checks all items, several at once, and describes those that fail. */
async function failing<Item>(
  items: readonly Item[],
  holds: (item: Item) => Promise<boolean>,
  what: string,
): Promise<string[]> {
  const failed: string[] = [];
  let next = 0;
  const checkers = Array.from({ length: AT_ONCE }, async () => {
    for (let at = next++; at < items.length; at = next++) {
      const item = items[at] as Item;
      if (!(await holds(item))) failed.push(`${what} (number ${at} of ${items.length})`);
    }
  });
  await Promise.all(checkers);
  return failed;
}

const not =
  (holds: (item: string) => Promise<boolean>) =>
  async (item: string): Promise<boolean> =>
    !(await holds(item));
