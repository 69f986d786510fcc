import { ENVIRONMENTS } from "@gatehouse/auth";
import { engines } from "@gatehouse/db/testing/engines";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTrpcHandler } from "../handler.ts";
import { appRouter } from "../root.ts";
import { ADMIN, type Installation, ISSUER, openInstallation } from "../testing/callers.ts";
import { ENVIRONMENT_CALLS, type Place, seedPlace } from "../testing/environment-calls.ts";
import { PROCEDURES } from "../testing/procedures.ts";
import { createApiToken } from "./api-tokens.ts";
import type { ApiTokenAccess } from "./limits.ts";
import { API_TOKEN_SCOPES, type ApiTokenScope } from "./scopes.ts";

const BY_TOKEN = PROCEDURES.flatMap(({ path, type, requirements: { apiToken } }) =>
  apiToken ? [{ path, type, ...apiToken }] : [],
);

/**
 * Every way to name an environment in JSON that a guard could read otherwise than the handler: `named` is the token's,
 * `meant` is not.
 */
function environmentSpellings(named: string, meant: string): string[] {
  const [one, other] = [`"environment":"${named}"`, `"environment":"${meant}"`];
  return [
    "",
    one,
    other,
    `"filter":{${one}}`,
    `"filter":{${other}}`,
    `"filter":{}`,
    `${one},"filter":{${other}}`,
    `${other},"filter":{${one}}`,
    `${one},"filter":{}`,
    `"filter":{${one},"filter":{${other}}}`,
    `${one},${other}`,
    `${other},${one}`,
    `"filter":{${one},${other}}`,
    `"filter":{${other},${one}}`,
    `"filter":{${one}},"filter":{${other}}`,
    `"filter":[{${one}}]`,
    `"filter":"{${one}}"`,
    `"filter":null,${one}`,
    `"environment":["${named}"]`,
    `"environment":{"${named}":true}`,
    `"environment":null,"filter":{${one}}`,
    `"Environment":"${named}"`,
    `"environment ":"${named}"`,
    `"environment":" ${named}"`,
    `"__proto__":{${one}}`,
    `"filter":{"__proto__":{${one}}}`,
    `"constructor":{${one}}`,
    `"json":{${one}}`,
    `"input":{${one}}`,
  ];
}

/** The same for a client. */
function clientSpellings(named: string, meant: string): string[] {
  const [one, other] = [`"clientId":"${named}"`, `"clientId":"${meant}"`];
  return [
    "",
    one,
    other,
    `${one},"id":"x"`,
    `"filter":{${one}}`,
    `${one},${other}`,
    `${other},${one}`,
    `${other},"filter":{${one}}`,
    `"clientId":["${named}"]`,
    `"clientId":" ${meant}"`,
    `"ClientId":"${named}",${other}`,
    `"__proto__":{${one}},${other}`,
  ];
}

describe.each(engines)("a limited API token on $name", (engine) => {
  const trpc = createTrpcHandler(appRouter);
  let it: Installation;
  let own: Place;
  let foreign: Place;
  let targets: Record<ApiTokenAccess["reach"], string[]>;
  let spellings: Record<ApiTokenAccess["reach"], string[]>;
  let secrets: string[];
  let whole: string;
  let limited: string[];

  beforeAll(async () => {
    it = await openInstallation(engine);
    own = await seedPlace(it, "development", 1);
    foreign = await seedPlace(it, "production", 2);
    await ENVIRONMENT_CALLS["previews.put"]?.prepare(own);
    const [here, there] = [await seedRows(own), await seedRows(foreign)];
    secrets = [
      foreign.clientId,
      foreign.applicationId,
      foreign.name,
      foreign.endpoint,
      there.delivery,
      there.errorId,
      there.key,
    ];
    const objects = [...(await objectsOf(own, here)), ...(await objectsOf(foreign, there))];
    targets = {
      environment: ["", `"range":"24h"`, `"ids":["${there.delivery}"]`],
      client: ["", `"key":"pr-1"`, `"key":"pr-1","redirectUri":"https://pr-1.preview.example.com/cb"`],
      answer: objects,
      everything: [
        "",
        `"file":"{}"`,
        `"file":"{}","planId":"p"`,
        `"id":"${foreign.applicationId}"`,
        `"objects":["${foreign.clientId}"]`,
      ],
    };
    const plain = ["", `"environment":"development"`, `"filter":{"environment":"development"}`];
    // The engine decides what is found, and never how an input is read.
    const every = engine === engines[0];
    spellings = {
      environment: every ? environmentSpellings("development", "production") : plain,
      client: every
        ? clientSpellings(own.clientId, foreign.clientId)
        : ["", `"clientId":"${own.clientId}"`, `"clientId":"${foreign.clientId}"`],
      answer: plain,
      everything: plain,
    };
    whole = await token({});
    limited = [await token({ environments: ["development"] }), await token({ clientId: own.clientId })];
  });
  afterAll(() => it.close());

  /** What one place has that a call can name. */
  async function objectsOf(
    { environment, admin }: Place,
    { delivery, errorId, key }: Awaited<ReturnType<typeof seedRows>>,
  ) {
    const [row] = (await admin.audit.list({ environment })).items;
    const filter = { environment };
    const tickets = [await admin.audit.export({ filter }), await admin.deliveries.export({ filter })];
    const named = [`"id":"${delivery}"`, `"id":"${row?.id}"`, `"errorId":"${errorId}"`, `"key":"${key}"`];
    return [...named, ...tickets.map(({ ticket }) => `"ticket":"${ticket}","cursor":null`)];
  }

  async function seedRows(place: Place) {
    const delivery = (await ENVIRONMENT_CALLS["deliveries.get"]?.prepare(place)) as string;
    const refusal = (await ENVIRONMENT_CALLS["refusals.one"]?.prepare(place)) as { errorId: string; key: string };
    return { delivery, ...refusal };
  }

  async function token(limits: { environments?: "development"[]; clientId?: string }): Promise<string> {
    const ofClient = (name: string) =>
      limits.clientId === undefined || API_TOKEN_SCOPES[name as ApiTokenScope].ofClient;
    const scopes = (Object.keys(API_TOKEN_SCOPES) as ApiTokenScope[]).filter(
      (name) => ofClient(name) && (limits.clientId !== undefined || name !== "previews:write"),
    );
    const draft = {
      name: "Limited",
      scopes,
      environments: [...(limits.environments ?? ENVIRONMENTS)],
      firstPartyOrigins: [],
      expiresInSeconds: 3600,
    };
    return (await createApiToken({ ...draft, clientId: limits.clientId ?? null }, { ...ADMIN, id: "admin" }, it.deps))
      .token;
  }

  async function send({ path, type }: { path: string; type: "query" | "mutation" }, secret: string, input: string) {
    const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" };
    const query = type === "query" ? `?input=${encodeURIComponent(input)}` : "";
    const request = new Request(`${ISSUER}/trpc/${path}${query}`, {
      headers,
      ...(type === "mutation" && { method: "POST", body: input }),
    });
    const answer = await trpc(request, it.deps, { address: "192.0.2.1" });
    return { status: answer.status, text: answer.ok ? await answer.text() : "" };
  }

  const leaks = (text: string) => secrets.filter((secret) => text.includes(secret));
  const pages = { path: "", type: "mutation" } as const;

  test.each(BY_TOKEN)(
    "CO-70 $path says nothing of another environment or client, however the call names its own",
    async (procedure) => {
      const statuses = new Set<number>();
      for (const target of targets[procedure.reach]) {
        for (const spelling of spellings[procedure.reach]) {
          const input = `{${[target, spelling].filter((part) => part !== "").join(",")}}`;
          for (const secret of limited) {
            const { status, text } = await send(procedure, secret, input);
            statuses.add(status);
            expect([input, leaks(text)]).toEqual([input, []]);
            const { ticket } = /"ticket":"(?<ticket>[^"]+)"/.exec(text)?.groups ?? {};
            if (ticket === undefined) continue;
            const page = await send(
              { ...pages, path: `${procedure.path}Page` },
              whole,
              JSON.stringify({ ticket, cursor: null }),
            );
            expect([input, page.status, leaks(page.text)]).toEqual([input, 200, []]);
          }
        }
      }
      expect([...statuses].filter((status) => ![200, 400, 403, 404].includes(status))).toEqual([]);
      expect(statuses.has(200)).toBe(procedure.reach !== "everything");
    },
  );
});
