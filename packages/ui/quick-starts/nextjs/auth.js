// npm install next-auth@beta
import NextAuth from "next-auth";

export const { handlers, auth, signIn, signOut } = NextAuth({
  providers: [
    {
      id: "gatehouse",
      name: "Gatehouse",
      type: "oidc",
      issuer: "__ISSUER__",
      clientId: "__CLIENT_ID__",
      clientSecret: process.env.CLIENT_SECRET,
      authorization: { params: { scope: "__SCOPES__" } },
      checks: ["pkce", "state", "nonce"],
    },
  ],
});
