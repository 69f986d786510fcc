import { expect, test } from "vitest";
import { cookieNames } from "../cookies/names.ts";
import { createSeal } from "../cookies/seal.ts";
import { type Payload, payloadOf } from "./payload.ts";

const SECRET = "only-for-tests-0123456789-0123456789";
const CLIENT = { issuer: "https://gate.example", clientId: "shop" };
const PAYLOAD: Payload = {
  id: "session-1",
  userId: "user-ada",
  name: "Ada",
  email: null,
  accessToken: "access",
  refreshToken: "refresh",
  idToken: null,
  expiresAt: 1_800_000_000,
  lifetime: 600,
  scope: "openid",
  environment: "production",
  acr: null,
  authTime: 1_799_999_999,
  sid: null,
};

/** A cookie as version 0.1 set it. */
const NAME = "__Host-gatehouse_39a54e2e_session";
const SEALED =
  "eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIiwidHlwIjoic2Vzc2lvbiIsImF1ZCI6InNob3AiLCJuYW1lIjoiX19Ib3N0LWdhdGVob3VzZV8zOWE1NGUyZV9zZXNzaW9uIiwia2lkIjoiSlBIOUd6Q0QifQ..kSQu5QnoVI3oJP2I.Y0s5HyFrtMNQnajjheaOnzWuYsbdo80NKh3onYnNRscu5cUff5qt5A9gx865ZRbftnptJhrn20za7iUBVcO6fLl71H4UBBZclzQsDE5q4unWnPcK1RJWTEb2TolDqn20bQiLEZvUb_2XglMWAXv6ntWmhLWjk52C_g9J1PsTfRLYgppavEi5TCceG6a-2bavssdz6Vm5rcm_FEIRARAVOmN-dIJocJfU19b-D1cu7nJHPFBl13o4WLSSvywreczS4QT_rRMzSQIaB20lZZ9bfWHKhm5_UgjN9A-mxZLQBqqSi3o5O7Pfj18FqItWbtEIiq--IDz7XT9oZ32iUg.Ow4xxbOpTGOu8BoVlpnlUQ";

test("PK-25 sessions that version 0.1 sealed are read, under the same name and keys", async () => {
  const { session } = await cookieNames(CLIENT, { secure: true });
  expect(session).toBe(NAME);
  const seal = await createSeal([SECRET], { purpose: "session", clientId: CLIENT.clientId, name: session });
  expect(payloadOf(await seal.open(SEALED))).toEqual(PAYLOAD);
});

test("N88 a payload that lacks a member, or has one of another type, is no session", () => {
  for (const member of Object.keys(PAYLOAD)) {
    expect([member, payloadOf({ ...PAYLOAD, [member]: undefined })]).toEqual([member, undefined]);
    expect([member, payloadOf({ ...PAYLOAD, [member]: {} })]).toEqual([member, undefined]);
  }
  expect(payloadOf(null)).toBeUndefined();
});
