import { PROVIDERS } from "@gatehouse/webhooks";
import { expect, test } from "vitest";
import { DESTINATIONS } from "./destinations.ts";

const ELSEWHERE = "https://elsewhere.example";

test("every setting of a webhook provider that is a URL is known to be where an API key goes, or to be no such address", () => {
  const addresses = Object.values(PROVIDERS).flatMap(({ settingsFields = [] }) =>
    settingsFields.filter(({ kind }) => kind === "url").map(({ name }) => name),
  );
  const NOT_CALLED = ["notificationUrl"]; // part of what Square signs
  const bound = addresses.filter((name) => DESTINATIONS["webhook API key"]({ settings: { [name]: ELSEWHERE } }) === ELSEWHERE);
  expect(new Set(addresses)).toEqual(new Set([...bound, ...NOT_CALLED]));
});
