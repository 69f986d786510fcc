import { type NewRefreshFamily, type Rotation, sha256 } from "@gatehouse/auth";

/** A family for tests, named like its grant. */
export function aFamily(
  grantId: string,
  of: Pick<NewRefreshFamily, "createdAt" | "expiresAt"> & Partial<NewRefreshFamily>,
): NewRefreshFamily {
  const common = {
    id: grantId,
    grantId,
    scope: "api:read",
    audience: "http://localhost:3000/api",
    context: null,
    boundFrom: null,
  };
  return { ...common, absoluteExpiresAt: of.expiresAt, currentHash: sha256(`first of ${grantId}`), ...of };
}

/** A rotation of the token `presented` to `successor`. */
export function aRotation(
  presented: string,
  successor: string,
  of: Pick<Rotation, "rotatedAt" | "expiresAt"> & Partial<Rotation>,
): Rotation {
  const hashes = { presentedHash: sha256(presented), successorHash: sha256(successor) };
  const retry = { rotationId: `${presented} to ${successor}`, accessExpiresAt: of.expiresAt, sealedResponse: null };
  return { ...hashes, ...retry, context: null, boundFrom: null, ...of };
}
