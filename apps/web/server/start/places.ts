import { open, type Response } from "maxmind";
import type { PlaceOf } from "../../views/account/sessions.tsx";

/** A record of a city or country database. Some databases of countries have `country_code` alone. */
type PlaceRecord = Response & {
  city?: { names?: Record<string, string> };
  country?: { iso_code?: string };
  country_code?: string;
};

/**
 * Reads a database of addresses in the MaxMind DB format into memory. Without a file no place is known. Throws an error
 * that names the setting if the file cannot be read. SN-01.
 */
export async function openPlaces(file: string | undefined): Promise<PlaceOf> {
  if (file === undefined) return () => undefined;
  const reader = await open<PlaceRecord>(file).catch((cause: unknown) => {
    throw new Error(
      `GATEHOUSE_GEOIP_FILE must name a file in the MaxMind DB format, and ${file} cannot be read as one`,
      { cause },
    );
  });
  return (address, locale) => {
    const record = reader.get(address);
    if (!record) return undefined;
    const city = record.city?.names?.[locale] ?? record.city?.names?.["en"];
    const words = [city, countryName(record.country?.iso_code ?? record.country_code, locale)].filter(
      (word) => word !== undefined,
    );
    return words.length === 0 ? undefined : words.join(", ");
  };
}

function countryName(code: string | undefined, locale: string): string | undefined {
  if (code === undefined || !/^[A-Z]{2}$/.test(code)) return undefined;
  return new Intl.DisplayNames([locale], { type: "region", fallback: "none" }).of(code);
}
