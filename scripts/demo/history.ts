import { createHmac } from "node:crypto";
import { authorizePath, type Browser, createBrowser, type Obtained, type Sender } from "./browser.ts";
import {
  ADA,
  type Client,
  FILES,
  GITHUB_SECRET,
  MOBILE,
  NEW_STRIPE_SECRET,
  PASSWORD,
  PEOPLE,
  SHOP,
  SHOP_STAGING,
  STAGING_STRIPE_SECRET,
  STRIPE_SECRET,
  WAREHOUSE,
  WAREHOUSE_STAGING,
} from "./data.ts";
import { wave } from "./traffic.ts";

/** The installation that the history is written to. */
export type Stage = {
  issuer: string;
  /** Moves the server's clock to this time, in Unix milliseconds. */
  moveTo(timeMs: number): Promise<void>;
  /** Runs `gatehouse apply` at this time. */
  apply(file: object, timeMs: number): Promise<void>;
};
type Happening = { atMs: number; act: () => Promise<unknown> };

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const DAYS = 14;

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:146.0) Gecko/20100101 Firefox/146.0";
const SAFARI =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 Mobile/15E148 Safari/604.1";
const CHROME =
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36";
const BROWSERS = [FIREFOX, SAFARI, CHROME];
const SERVER: Sender = { address: "198.51.100.20", userAgent: "shop-backend/4.2 (Node.js)" };
const JOB: Sender = { address: "198.51.100.31", userAgent: "warehouse-sync/1.8" };
const STRIPE: Sender = { address: "203.0.113.90", userAgent: "Stripe/1.0 (+https://stripe.com/docs/webhooks)" };
const GITHUB: Sender = { address: "203.0.113.120", userAgent: "GitHub-Hookshot/44d1fb1" };

/**
 * Two weeks of an installation: people sign in, programs get tokens, providers deliver, and some of it goes wrong, each
 * time for a reason that the console can explain. Every row comes from a request, with the server's clock at its time.
 * Returns the error ids of the last refused redirect URIs.
 */
export async function playHistory(stage: Stage): Promise<{ refused: string[] }> {
  const nowMs = Date.now();
  const refused: string[] = [];
  const happenings: Happening[] = [];
  const on = (daysAgo: number, time: string, act: Happening["act"]) => {
    const [hours = 0, minutes = 0] = time.split(":").map(Number);
    const midnight = nowMs - daysAgo * DAY - (nowMs % DAY);
    happenings.push({ atMs: midnight + hours * HOUR + minutes * MINUTE, act });
  };
  const minutesAgo = (minutes: number, act: Happening["act"]) =>
    happenings.push({ atMs: nowMs - minutes * MINUTE, act });
  const protocol = protocolOf(stage.issuer);
  let atMs = 0;
  const webhooks = webhooksOf(stage.issuer, () => Math.floor(atMs / 1000));

  for (const [daysAgo, file] of Object.entries(FILES)) on(Number(daysAgo), "06:30", () => stage.apply(file, atMs));

  // Days as they should be.
  const people = PEOPLE.filter(({ role }) => role === "user").map((person, at) => protocol.person(person.email, at));
  for (let daysAgo = DAYS - 1; daysAgo >= 1; daysAgo -= 1) {
    for (let visit = 0; visit < 4; visit += 1) {
      const seed = daysAgo * 10 + visit;
      const person = people[Math.floor(wave(seed) * people.length)];
      if (!person) continue;
      const client = daysAgo < 10 && wave(seed + 0.5) < 0.4 ? MOBILE : SHOP;
      const time = `${8 + visit * 3}:${10 + Math.floor(wave(seed + 0.2) * 45)}`;
      on(daysAgo, time, async () => protocol.redeem(client, await person.authorize(client)));
    }
    for (const time of ["05:00", "13:00", "21:00"]) on(daysAgo, time, () => protocol.serviceToken(WAREHOUSE));
    on(daysAgo, "12:07", () => webhooks.stripe(`evt_1Q${daysAgo}a`, "invoice.paid"));
    on(daysAgo, "12:08", () => webhooks.stripe(`evt_1Q${daysAgo}b`, "checkout.session.completed"));
    if (daysAgo % 3 === 0)
      on(daysAgo, "12:09", () => webhooks.stripe(`evt_1Q${daysAgo}b`, "checkout.session.completed"));
    if (daysAgo < 11) on(daysAgo, "15:20", () => webhooks.github(`0f${daysAgo}9c1d-72aa`, "push"));
  }

  // What went wrong, and what was done about it.
  const emmy = protocol.person("emmy@example.net", 7);
  on(12, "19:02", () => emmy.signIn("not my password"));
  on(12, "19:03", () => emmy.signIn("Not my password"));
  on(12, "10:30", () => protocol.refuse(SHOP_STAGING, "https://staging.shop.example.com/auth/callback/"));
  on(10, "09:15", () => protocol.serviceToken(WAREHOUSE, { secret: WAREHOUSE_STAGING.client_secret }));
  on(10, "09:16", () => protocol.serviceToken(WAREHOUSE, { secret: WAREHOUSE_STAGING.client_secret }));
  on(9, "16:40", () => protocol.serviceToken(WAREHOUSE, { scope: "api:read api:admin" }));
  for (const time of ["11:01", "11:04", "11:09"])
    on(8, time, () => protocol.refuse(SHOP, "http://shop.example.com/auth/callback"));
  for (const [at, time] of ["14:02", "14:20", "14:55", "15:30"].entries())
    on(5, time, () => webhooks.stripe(`evt_1R${at}`, "invoice.paid", NEW_STRIPE_SECRET));
  on(5, "15:47", () =>
    administer(stage.issuer, "webhookSecrets.add", { endpoint: "stripe", secret: NEW_STRIPE_SECRET }),
  );
  on(4, "10:12", () => webhooks.stripe("evt_1S1", "charge.refunded", STAGING_STRIPE_SECRET));
  on(4, "17:21", async () => {
    const obtained = await people[1]?.authorize(SHOP);
    if (!obtained) return;
    await protocol.redeem(SHOP, obtained);
    await protocol.redeem(SHOP, obtained); // a retry that reused the code
  });
  let forgotten: Obtained | undefined;
  on(3, "08:30", async () => {
    forgotten = await people[2]?.authorize(SHOP);
  });
  on(3, "09:10", () => (forgotten ? protocol.redeem(SHOP, forgotten) : Promise.resolve()));
  on(3, "18:44", async () => {
    const obtained = await people[3]?.authorize(MOBILE);
    if (obtained) await protocol.redeem(MOBILE, { ...obtained, verifier: "w".repeat(43) });
  });
  on(2, "09:05", () => administer(stage.issuer, "clients.addSecret", { clientId: SHOP.client_id }));
  on(2, "11:30", () => administerUser(stage.issuer, "grace@example.com", "users.update", { role: "admin" }));
  on(2, "11:31", () =>
    administer(stage.issuer, "invitations.create", { email: "hedy@example.com", role: "developer" }),
  );
  on(1, "07:58", () =>
    administerUser(stage.issuer, "wu@example.edu", "users.setDisabled", { disabled: true, reason: "left the company" }),
  );
  on(1, "22:15", () => webhooks.github("0fa7bb20-72ab", "release", "typed it wrong"));

  // Today.
  minutesAgo(95, () => webhooks.stripe("evt_1T1", "invoice.paid"));
  minutesAgo(94, () => webhooks.stripe("evt_1T1", "invoice.paid"));
  minutesAgo(70, async () => protocol.redeem(SHOP, await (people[0] as Person).authorize(SHOP)));
  minutesAgo(55, () => webhooks.stripe("evt_1T2", "customer.subscription.updated"));
  minutesAgo(41, () => webhooks.stripe("evt_1T3", "charge.refunded", "whsec_of_another_account"));
  minutesAgo(30, () => protocol.serviceToken(WAREHOUSE, { secret: "gcs_wrong" }));
  minutesAgo(12, () => webhooks.stripe("evt_1T4", "checkout.session.completed"));
  for (const [minutes, host] of [
    [6, "staging.shop.example.com"],
    [2, "shop.example.com"],
  ] as const)
    minutesAgo(minutes, async () => refused.push(await protocol.refuse(SHOP, `https://${host}/auth/callback/`)));

  for (const happening of happenings.toSorted((a, b) => a.atMs - b.atMs)) {
    atMs = happening.atMs;
    await stage.moveTo(atMs);
    await happening.act();
  }
  return { refused };
}

type Person = { signIn(password?: string): Promise<void>; authorize(client: Client): Promise<Obtained> };

function protocolOf(issuer: string) {
  async function token(client: Client, fields: Record<string, string>, sender: Sender, secret = client.client_secret) {
    const body = new URLSearchParams({ client_id: client.client_id, ...fields });
    if (secret !== undefined) body.set("client_secret", secret);
    const headers = { "x-forwarded-for": sender.address, "user-agent": sender.userAgent };
    return fetch(`${issuer}/token`, { method: "POST", body, headers });
  }

  return {
    /** Somebody with a browser of their own, who signs in before the first authorization. */
    person(email: string, at: number): Person {
      const sender = { address: `203.0.113.${10 + at}`, userAgent: BROWSERS[at % BROWSERS.length] ?? FIREFOX };
      let browser: Browser | undefined;
      const signIn = async (password = PASSWORD) => {
        browser = createBrowser(issuer, sender);
        await browser.signIn(email, password);
      };
      return {
        signIn,
        async authorize(client) {
          if (!browser || wave(at + client.client_id.length) < 0.3) await signIn();
          const scope = client === SHOP ? "openid profile email api:read" : "openid profile api:read offline_access";
          return (browser as Browser).authorize(client, scope);
        },
      };
    },
    redeem(client: Client, { code, verifier }: Obtained) {
      const fields = { grant_type: "authorization_code", code, code_verifier: verifier };
      return token(client, { ...fields, redirect_uri: client.redirect_uris?.[0] ?? "" }, SERVER);
    },
    serviceToken(client: Client, { secret = client.client_secret, scope = "api:read" } = {}) {
      return token(client, { grant_type: "client_credentials", scope }, JOB, secret);
    },
    /** The error id of a request with this redirect URI. */
    async refuse(client: Client, redirectUri: string): Promise<string> {
      const headers = { "x-forwarded-for": "203.0.113.77", "user-agent": CHROME, accept: "text/html" };
      const response = await fetch(issuer + authorizePath(client, { redirectUri }), { headers });
      return response.headers.get("gatehouse-error-id") ?? "";
    },
  };
}

function webhooksOf(issuer: string, now: () => number) {
  const send = (provider: string, body: string, { address, userAgent }: Sender, headers: Record<string, string>) =>
    fetch(`${issuer}/api/webhooks/${provider}`, {
      method: "POST",
      body,
      headers: { "content-type": "application/json", "x-forwarded-for": address, "user-agent": userAgent, ...headers },
    });
  const mac = (secret: string, text: string) => createHmac("sha256", secret).update(text).digest("hex");

  return {
    /** As Stripe signs it. */
    stripe(id: string, type: string, secret = STRIPE_SECRET) {
      const time = now();
      const body = JSON.stringify({
        id,
        object: "event",
        created: time,
        livemode: true,
        type,
        data: { object: objectOf(type) },
      });
      return send("stripe", body, STRIPE, { "stripe-signature": `t=${time},v1=${mac(secret, `${time}.${body}`)}` });
    },
    github(id: string, event: string, secret = GITHUB_SECRET) {
      const body = JSON.stringify({
        ref: "refs/heads/main",
        repository: { full_name: "example/shop" },
        sender: { login: "grace" },
      });
      const named = { "x-github-event": event, "x-github-delivery": id };
      return send("github", body, GITHUB, { ...named, "x-hub-signature-256": `sha256=${mac(secret, body)}` });
    },
  };
}

function objectOf(type: string): object {
  if (!type.startsWith("customer.subscription.")) return { id: "in_1Q2", amount: 4200, currency: "eur" };
  const price = { current_period_end: 1_924_905_600, price: { id: "price_1", nickname: "Team" } };
  const shared = { object: "subscription", cancel_at_period_end: false, metadata: {}, items: { data: [price] } };
  return { id: "sub_1Q2", status: "active", customer: "cus_1Q2", ...shared };
}

/** Ada in the console: she signs in for it, since changes need a fresh sign-in. */
async function signInAda(issuer: string): Promise<Browser> {
  const browser = createBrowser(issuer, { address: "198.51.100.7", userAgent: FIREFOX });
  await browser.signIn(ADA.email, ADA.password);
  return browser;
}

async function administer(issuer: string, procedure: string, input: object): Promise<unknown> {
  return (await signInAda(issuer)).call(procedure, input);
}

async function administerUser(issuer: string, email: string, procedure: string, change: object): Promise<unknown> {
  const ada = await signInAda(issuer);
  type User = { id: string; email: string; name: string; role: string };
  const { items } = await ada.query<{ items: User[] }>("users.list", { query: email });
  const user = items.find((one) => one.email === email);
  if (!user) throw new Error(`there is no user ${email}`);
  const { id, name, role } = user;
  return ada.call(procedure, procedure === "users.update" ? { id, name, role, ...change } : { id, ...change });
}
