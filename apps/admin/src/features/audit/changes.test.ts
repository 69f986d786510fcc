import { expect, test } from "vitest";
import { changesOf, factsOf } from "./changes.ts";
import { actionWords, fieldWords } from "./words.ts";

test("CO-64 a list shows which entries came and went, an object which members differ", () => {
  const changes = {
    scopes: { before: ["openid", "api:read"], after: ["openid", "email"] },
    options: { before: { dpop: "required", lifetime: 60 }, after: { dpop: "required", lifetime: 30 } },
    firstParty: { before: false, after: true },
    name: { before: null, after: "Web" },
  };
  expect(changesOf({ changes, reason: "asked by mail" })).toEqual([
    {
      field: "scopes",
      lines: [
        { sign: "same", text: "openid" },
        { sign: "removed", text: "api:read" },
        { sign: "added", text: "email" },
      ],
    },
    {
      field: "options.lifetime",
      lines: [
        { sign: "removed", text: "60" },
        { sign: "added", text: "30" },
      ],
    },
    {
      field: "firstParty",
      lines: [
        { sign: "removed", text: "off" },
        { sign: "added", text: "on" },
      ],
    },
    { field: "name", lines: [{ sign: "added", text: "Web" }] },
  ]);
  expect(factsOf({ changes, reason: "asked by mail" })).toEqual([["reason", "asked by mail"]]);
  expect(changesOf({ changes: null })).toEqual([]);
});

test.each([
  ["client.update", "Changed client"],
  ["client_secret.add", "Added client secret"],
  ["webhook_endpoint.disable", "Disabled webhook endpoint"],
  ["user.end_sessions", "Ended all sessions of user"],
  ["resource.create", "Created API"],
])("%s reads as %j", (action, words) => {
  expect(actionWords(action)).toBe(words);
});

test.each([
  ["redirectUris", "Redirect URIs"],
  ["others_end_at", "Others end at"],
  ["settings.toleranceSeconds", "Tolerance seconds"],
])("the field %s reads as %j", (field, words) => {
  expect(fieldWords(field)).toBe(words);
});
