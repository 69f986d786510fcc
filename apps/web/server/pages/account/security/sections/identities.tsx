/** @jsxImportSource preact */
import { IdentitiesSection } from "../../../../../views/account/security/identities.tsx";
import type { SecuritySection } from "./section.ts";

/** The user's accounts at sign-in providers; nothing while there is no provider. */
export const identitiesSection: SecuritySection = async ({ session, app, frame }, csrf) => {
  const { people, now } = app.deps;
  const [identities, providers] = await Promise.all([
    people.listIdentities(session.user.id),
    people.listSignInProviders(),
  ]);
  if (identities.length === 0 && !providers.some(({ enabled }) => enabled)) return null;
  return <IdentitiesSection frame={frame} csrf={csrf} identities={identities} providers={providers} now={now()} />;
};
