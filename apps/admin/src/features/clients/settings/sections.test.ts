import { expect, test } from "vitest";
import type { ClientType } from "@/trpc/types.ts";
import { clientTypes, defaultSettings } from "../client-types.ts";
import { changedLabels, errorsShown, fieldsFor, type Path, type Place } from "./field.ts";
import { SECTIONS, WITHOUT_FIELD } from "./sections.ts";

/** Every setting and option of a client. The compiler refuses a list that lacks one. */
const EVERY_PATH = {
  redirectUris: true,
  postLogoutRedirectUris: true,
  grantTypes: true,
  scopes: true,
  firstParty: true,
  resourceServer: true,
  refreshRetrySeconds: true,
  "options.authentication": true,
  "options.assertionAlgorithm": true,
  "options.jwks": true,
  "options.jwksUri": true,
  "options.idTokenAlgorithm": true,
  "options.idTokenClaims": true,
  "options.backchannelLogoutUri": true,
  "options.requirePushedRequests": true,
  "options.dpopBound": true,
  "options.dpopNonce": true,
  "options.resources": true,
  "options.serves": true,
  "options.rotateRefreshTokens": true,
  "options.requireAcr": true,
  "options.defaultAcrValues": true,
  "options.defaultMaxAge": true,
  "options.requireVerifiedEmail": true,
  "options.accessTokenSeconds": true,
  "options.refreshIdleSeconds": true,
  "options.refreshAbsoluteSeconds": true,
  "options.clientName": true,
  "options.applicationType": true,
  "options.secretMethod": true,
  "options.clientUri": true,
  "options.logoUri": true,
  "options.policyUri": true,
  "options.tosUri": true,
  "options.contacts": true,
  "options.softwareId": true,
  "options.softwareVersion": true,
} satisfies Record<Path, true>;

const drawn = SECTIONS.flatMap(({ fields }) => fields.map(({ path }) => path));
const placeOf = (type: ClientType, options: Place["settings"]["options"] = {}): Place => ({
  type,
  environment: "development",
  settings: { ...defaultSettings(type), options },
});
const pathsFor = (place: Place) => SECTIONS.flatMap((section) => fieldsFor(section, place)).map(({ path }) => path);

test("every setting and option of a client has exactly one field, or a reason for having none", () => {
  const reasons = Object.keys(WITHOUT_FIELD);
  expect([...drawn, ...reasons].sort()).toEqual(Object.keys(EVERY_PATH).sort());
});

test("every field says what it does, in a label and a hint", () => {
  for (const type of clientTypes) {
    for (const { label, hint } of SECTIONS.flatMap((section) => fieldsFor(section, placeOf(type)))) {
      expect(label).not.toBe("");
      expect(typeof hint === "string" ? hint : hint(placeOf(type)), label).toMatch(/\.$/);
    }
  }
});

test.each<[ClientType, Path, boolean]>([
  ["web", "options.authentication", true],
  ["browser", "options.authentication", false],
  ["native", "options.backchannelLogoutUri", false],
  ["service", "redirectUris", false],
  ["service", "options.requirePushedRequests", false],
  ["service", "resourceServer", true],
  ["device", "options.requireAcr", false],
  ["device", "options.refreshIdleSeconds", true],
  ["web", "options.rotateRefreshTokens", true],
  ["browser", "options.rotateRefreshTokens", false],
])("a %s client: %s is drawn: %s", (type, path, isDrawn) => {
  expect(pathsFor(placeOf(type)).includes(path)).toBe(isDrawn);
});

test("an option that is set is drawn although it does not fit, so that it can be removed", () => {
  expect(pathsFor(placeOf("service", { requirePushedRequests: true }))).toContain("options.requirePushedRequests");
});

test("an error appears at its field, and brings the field out; one that no field has is left to the form", () => {
  const errors = { "options.requirePushedRequests": "no", "scopes.2": "no", "options.clientName": "no" };
  expect(errorsShown(SECTIONS, placeOf("service"), errors)).toEqual(["options.requirePushedRequests", "scopes.2"]);
});

test("a change is named by the labels of its fields", () => {
  const before = defaultSettings("web");
  const now = { ...before, firstParty: true, options: { dpopBound: true } };
  expect(changedLabels(SECTIONS, before, now)).toEqual(["First-party", "Require DPoP"]);
});

test("a folded section says what applies", () => {
  const summaryOf = (id: string, place: Place) => SECTIONS.find((section) => section.id === id)?.summary?.(place);
  expect(summaryOf("requests", placeOf("web"))).toBe("Pushed requests off · DPoP off");
  expect(summaryOf("requests", placeOf("web", { requirePushedRequests: true, dpopBound: true, dpopNonce: true }))).toBe(
    "Pushed requests required · DPoP required, with a nonce",
  );
  expect(summaryOf("tokens", placeOf("web"))).toBe("Lifetimes default · rotation on · ID tokens RS256");
  expect(summaryOf("tokens", placeOf("service", { accessTokenSeconds: 3_600 }))).toBe(
    "Lifetimes changed, access 1 hour",
  );
  expect(summaryOf("authentication", placeOf("web"))).toBe("Client secret");
});
