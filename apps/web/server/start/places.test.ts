import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openPlaces } from "./places.ts";

const COUNTRIES = createRequire(import.meta.url).resolve(
  "@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb",
);

test("SN-01 the country of an address, in the language of the page; nothing for an address that nobody has", async () => {
  const placeOf = await openPlaces(COUNTRIES);
  expect([
    placeOf("193.99.144.80", "en"),
    placeOf("193.99.144.80", "fr"),
    placeOf("2a02:2e0:3fe:1001::1", "de"),
  ]).toEqual(["Germany", "Allemagne", "Deutschland"]);
  for (const address of ["127.0.0.1", "::1", "10.0.0.1"]) expect(placeOf(address, "en")).toBeUndefined();
});

test("SN-01 without a file there are no places, and a file of another kind stops the start", async () => {
  expect((await openPlaces(undefined))("193.99.144.80", "en")).toBeUndefined();
  const file = join(tmpdir(), `gatehouse-places-${process.pid}`);
  writeFileSync(file, "not a database");
  await expect(openPlaces(file)).rejects.toThrow("GATEHOUSE_GEOIP_FILE");
  await expect(openPlaces("/no/such/file")).rejects.toThrow("GATEHOUSE_GEOIP_FILE");
});
