import { generateKeyPairSync, sign } from "node:crypto";
import { describe, expect, test } from "vitest";
import { authorize } from "../endpoints/authorize.ts";
import { introspect } from "../endpoints/introspect.ts";
import { pushedAuthorizationRequest } from "../endpoints/par.ts";
import { revoke } from "../endpoints/revoke.ts";
import { token } from "../endpoints/token.ts";
import { OutboundError } from "../outbound/outbound.ts";
import { CHALLENGE, ISSUER, post, query, scene } from "../testing/index.ts";
import { ASSERTION_TYPE } from "./credentials.ts";
import { refetchDocument } from "./document-cache.ts";

const ID = "https://app.example/client.json";
const CALLBACK = "https://app.example/cb";
const ENDPOINTS = { "/token": token, "/par": pushedAuthorizationRequest, "/revoke": revoke, "/introspect": introspect };
const PATHS = Object.keys(ENDPOINTS) as (keyof typeof ENDPOINTS)[];
const OLD = generateKeyPairSync("ec", { namedCurve: "P-256" });
const NEW = generateKeyPairSync("ec", { namedCurve: "P-256" });
type Pair = typeof OLD;

/** A client that a user brought, whose document is fresh for five minutes. */
async function published() {
  const s = scene();
  s.deps.config = { ...s.deps.config, clientMetadataDocuments: true };
  const world = { keys: [OLD], fetched: 0, problem: undefined as OutboundError | undefined, change: {}, saved: 0 };
  s.deps.fetchDocument = async () => {
    world.fetched += 1;
    if (world.problem) throw world.problem;
    const jwks = { keys: world.keys.map(({ publicKey }) => publicKey.export({ format: "jwk" })) };
    const document = {
      client_id: ID,
      client_name: "Reader",
      redirect_uris: [CALLBACK],
      token_endpoint_auth_method: "private_key_jwt",
      jwks,
    };
    return {
      text: JSON.stringify({ ...document, ...world.change }),
      headers: { cacheControl: "max-age=300", age: undefined },
    };
  };
  const save = s.store.saveDocumentClient;
  s.store.saveDocumentClient = (...of) => {
    world.saved += 1;
    return save(...of);
  };
  await authorize(query({ client_id: ID, redirect_uri: CALLBACK }), s.active, s.deps, s.caller);

  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  function assertion({ privateKey }: Pair): string {
    const { now } = s.clock;
    const signed = `${encode({ alg: "ES256" })}.${encode({ iss: ID, sub: ID, aud: ISSUER, iat: now, exp: now + 60, jti: `${Math.random()}` })}`;
    return `${signed}.${sign("sha256", Buffer.from(signed), { key: privateKey, dsaEncoding: "ieee-p1363" }).toString("base64url")}`;
  }
  /** What became of the client's authentication: `ok`, or the cause of its refusal. */
  async function authenticate(pair: Pair, path: keyof typeof ENDPOINTS = "/token"): Promise<string | undefined> {
    const before = s.tables.refusals.length;
    const answer = await post(s, ENDPOINTS[path], {
      client_assertion_type: ASSERTION_TYPE,
      client_assertion: assertion(pair),
      token: "unknown",
      grant_type: "refresh_token",
      refresh_token: "unknown",
      response_type: "code",
      redirect_uri: CALLBACK,
      code_challenge: CHALLENGE,
      code_challenge_method: "S256",
    });
    if (answer.body?.["error"] !== "invalid_client") return answer.status === 429 ? "rate_limited" : "ok";
    expect(answer.status).toBe(401);
    return s.tables.refusals.slice(before).at(-1)?.cause;
  }
  return { s, world, authenticate };
}

describe("a client of a metadata document is judged by its current document, CI-06", () => {
  test.each(PATHS)(
    "CI-06: at %s a new key works and a removed one ends when the cached document expires",
    async (path) => {
      const { s, world, authenticate } = await published();
      world.keys = [NEW];
      s.clock.now += 299;
      expect(await authenticate(OLD, path)).toBe("ok");
      expect(await authenticate(NEW, path)).toBe("assertion_signature_wrong");
      s.clock.now += 1;
      expect(await authenticate(OLD, path)).toBe("assertion_signature_wrong");
      expect(await authenticate(NEW, path)).toBe("ok");
      expect(world.fetched).toBe(2);
    },
  );

  test.each(PATHS)(
    "CI-06: at %s a document that is gone ends its client at once when the cached one expires",
    async (path) => {
      const { s, world, authenticate } = await published();
      world.problem = new OutboundError("status_not_200", "status 404");
      s.clock.now += 300;
      expect(await authenticate(OLD, path)).toBe("client_document_unavailable");
      expect(await authenticate(OLD, path)).toBe("client_document_unavailable");
      expect(world.fetched).toBe(2); // tried again after ten seconds
      world.problem = undefined;
      s.clock.now += 10;
      expect(await authenticate(OLD, path)).toBe("ok");
    },
  );

  test.each<[string, object, string]>([
    ["names another id", { client_id: `${ID}x` }, "client_document_invalid"],
    ["is of a public client now", { token_endpoint_auth_method: "none", jwks: undefined }, "assertion_unexpected"],
  ])("CI-06: a document that %s ends the old credentials", async (_, change, cause) => {
    const { s, world, authenticate } = await published();
    Object.assign(world, { change });
    s.clock.now += 300;
    expect(await authenticate(OLD)).toBe(cause);
  });

  test("CI-06: one whose server cannot be reached counts for ten minutes more, by this process's clock, and no longer", async () => {
    const { s, world, authenticate } = await published();
    world.problem = new OutboundError("timed_out", "no complete response");
    s.clock.now += 300;
    expect(await authenticate(OLD)).toBe("ok");
    s.clock.now += 599;
    expect(await authenticate(OLD)).toBe("ok");
    s.clock.now += 1;
    expect(await authenticate(OLD)).toBe("client_document_unavailable");
    world.problem = new OutboundError("status_not_200", "status 404");
    s.clock.now += 10;
    expect(await authenticate(OLD)).toBe("client_document_unavailable");
  });

  test("CI-06: many requests at once share one fetch, an unchanged document writes nothing, and a disabled client fetches nothing", async () => {
    const { s, world, authenticate } = await published();
    s.clock.now += 300;
    const answers = await Promise.all(Array.from({ length: 20 }, () => authenticate(OLD)));
    expect(new Set(answers)).toEqual(new Set(["ok"]));
    expect(world).toMatchObject({ fetched: 2, saved: 1 });
    s.clock.now += 300;
    s.changeClient(ID, { enabled: false });
    expect(await authenticate(OLD)).toBe("client_disabled");
    expect(world.fetched).toBe(2);
  });

  test("CI-10: fetches that authentication causes are limited by network", async () => {
    const { s, world, authenticate } = await published();
    s.clock.now += 300;
    s.deps.quota = async (of) => (of === "client fetch" ? 60 : 0);
    expect(await authenticate(OLD)).toBe("rate_limited");
    expect(world.fetched).toBe(1);
  });

  test("CI-09: while documents are disabled, their clients cannot authenticate", async () => {
    const { s, authenticate } = await published();
    s.deps.config = { ...s.deps.config, clientMetadataDocuments: false };
    expect(await authenticate(OLD)).toBe("client_unknown");
  });

  test("CO-61: a failed fetch from the console makes the next authentication read the document", async () => {
    const { s, world, authenticate } = await published();
    world.problem = new OutboundError("status_not_200", "status 410");
    expect(await refetchDocument(ID, s.deps)).toContain("status 410");
    expect(await authenticate(OLD)).toBe("client_document_unavailable");
  });
});
