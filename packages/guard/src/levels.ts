/**
 * Authentication contexts, from `acr`. Names that only Gatehouse, its clients and their APIs understand. RFC 9470, RFC
 * 6711.
 */
export const ACR = {
  email: "urn:gatehouse:acr:email",
  password: "urn:gatehouse:acr:password",
  upstream: "urn:gatehouse:acr:upstream",
  mfa: "urn:gatehouse:acr:mfa",
  phr: "urn:gatehouse:acr:phr",
} as const;

/** A level of authentication, as `acr` names it. */
export type Acr = (typeof ACR)[keyof typeof ACR];

/** How strong each level is. A level meets every demand of its rank or lower. AL-01. */
const RANK: Readonly<Record<Acr, number>> = {
  [ACR.email]: 0,
  [ACR.password]: 1,
  [ACR.upstream]: 1,
  [ACR.mfa]: 2,
  [ACR.phr]: 3,
};

/** Other names for a level. `phr` is the phishing-resistant context of the OpenID Connect EAP profile. */
const ALIASES: Readonly<Record<string, Acr>> = { phr: ACR.phr };

/** The level that a requested value names; undefined for a value that is not ours. */
export function levelOf(value: string): Acr | undefined {
  if (Object.hasOwn(ALIASES, value)) return ALIASES[value];
  return Object.hasOwn(RANK, value) ? (value as Acr) : undefined;
}

/** Is `acr` as strong as the level that `demanded` names? Never for a value that is not ours. AL-01. */
export function meets(acr: string | undefined, demanded: string): boolean {
  const [given, wanted] = [levelOf(acr ?? ""), levelOf(demanded)];
  return given !== undefined && wanted !== undefined && RANK[given] >= RANK[wanted];
}

/** The stronger of two levels; the first one if they have the same rank. */
export function strongerOf(one: Acr, other: Acr): Acr {
  return RANK[other] > RANK[one] ? other : one;
}
