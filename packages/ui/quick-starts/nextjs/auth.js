// npm install next-auth@beta

import { headers } from "next/headers";
import NextAuth from "next-auth";
import { getToken } from "next-auth/jwt";

const issuer = "__ISSUER__";
const postLogoutRedirectUri = "__POST_LOGOUT_REDIRECT_URI__"; // as registered; empty if none is

export const { handlers, auth, signIn, signOut } = NextAuth({
  basePath: "__AUTH_PATH__",
  pages: { signIn: "/", error: "/" },
  providers: [
    {
      id: "__PROVIDER__",
      name: "Gatehouse",
      type: "oidc",
      issuer,
      clientId: "__CLIENT_ID__",
      clientSecret: process.env.CLIENT_SECRET,
      authorization: { params: { scope: "__SCOPES__" } },
      checks: ["pkce", "state", "nonce"],
      idToken: false, // the user's claims come from /userinfo
    },
  ],
  callbacks: {
    /** Runs whenever the session is read. The tokens are in its encrypted cookie. Null ends it. */
    async jwt({ token, account }) {
      if (account) return { ...token, accessToken: account.access_token, idToken: account.id_token };
      return (await hasEnded(token.accessToken)) ? null : token;
    },
  },
});

/** Whether the session at Gatehouse has ended, or the access token has expired. */
async function hasEnded(accessToken) {
  const response = await fetch(`${issuer}/userinfo`, {
    headers: { authorization: `Bearer ${accessToken}` },
    cache: "no-store",
  }).catch(() => undefined); // while Gatehouse does not answer, the session stays
  return response?.status === 401;
}

/** Where to send the browser after `signOut`, which ends the session here. */
export async function afterSignOut() {
  if (postLogoutRedirectUri === "") return "/?signed-out=here";
  const secureCookie = process.env.AUTH_URL?.startsWith("https:") ?? false;
  const token = await getToken({ req: { headers: await headers() }, secret: process.env.AUTH_SECRET, secureCookie });
  const query = new URLSearchParams({
    client_id: "__CLIENT_ID__",
    id_token_hint: token?.idToken ?? "",
    post_logout_redirect_uri: postLogoutRedirectUri,
  });
  return `${issuer}/logout?${query}`; // ends the session at Gatehouse too, which sends the browser back
}
