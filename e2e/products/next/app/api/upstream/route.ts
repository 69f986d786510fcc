import { auth, getAccessToken } from "../../../auth.ts";

/** Calls an API as the user. */
export const GET = auth.protect({}, async () => {
  const authorization = `Bearer ${await getAccessToken()}`;
  return fetch(`${process.env["GATEHOUSE_ISSUER"]}/userinfo`, { headers: { authorization } });
});
