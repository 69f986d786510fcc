import NextAuth from "next-auth";

const { ISSUER = "http://localhost:3000", CLIENT_ID = "example-nextjs", CLIENT_SECRET = "" } = process.env;
const REFRESH_BEFORE_MS = 10_000;

declare module "next-auth" {
  interface Session {
    /**
     * For calls to the API. Only server code sees it: app/api/auth/[...nextauth]/route.ts keeps it from the browser.
     */
    accessToken?: string;
  }
}

/** Stored in the encrypted session cookie. */
type Tokens = { access: string; refresh: string; expiresAt: number };

export const { handlers, auth, signIn, signOut } = NextAuth({
  providers: [
    {
      id: "gatehouse",
      name: "Gatehouse",
      type: "oidc",
      issuer: ISSUER,
      clientId: CLIENT_ID,
      clientSecret: CLIENT_SECRET,
      authorization: { params: { scope: "openid profile email offline_access api:read" } },
      checks: ["pkce", "state", "nonce"],
    },
  ],
  callbacks: {
    /** Runs whenever the session is read. Returning null ends the session. */
    async jwt({ token, account }) {
      if (account) return { ...token, tokens: tokensOf(account) }; // just signed in
      const tokens = token["tokens"] as Tokens;
      if (Date.now() < tokens.expiresAt - REFRESH_BEFORE_MS) return token;
      const refreshed = await refresh(tokens);
      return refreshed && { ...token, tokens: refreshed };
    },
    session({ session, token }) {
      return { ...session, accessToken: (token["tokens"] as Tokens).access };
    },
  },
  events: {
    /** Signing out here ends the access: revoking the refresh token revokes its grant. */
    async signOut(message) {
      const tokens = "token" in message && (message.token?.["tokens"] as Tokens | undefined);
      if (tokens) await post("/revoke", { token: tokens.refresh });
    },
  },
});

type TokenResponse = { access_token?: string; refresh_token?: string; expires_in?: number };

function tokensOf({ access_token = "", refresh_token, expires_in = 0 }: TokenResponse, previous = ""): Tokens {
  return { access: access_token, refresh: refresh_token ?? previous, expiresAt: Date.now() + expires_in * 1000 };
}

/** New tokens; the old ones while Gatehouse cannot be reached; null when the user or an admin has ended the access. */
async function refresh(tokens: Tokens): Promise<Tokens | null> {
  const response = await post("/token", { grant_type: "refresh_token", refresh_token: tokens.refresh }).catch(
    () => undefined,
  );
  if (response?.ok) return tokensOf(await response.json(), tokens.refresh);
  return response?.status === 400 ? null : tokens;
}

function post(path: string, fields: Record<string, string>): Promise<Response> {
  const credentials = Buffer.from(`${encodeURIComponent(CLIENT_ID)}:${encodeURIComponent(CLIENT_SECRET)}`).toString(
    "base64",
  );
  const headers = { authorization: `Basic ${credentials}` };
  return fetch(ISSUER + path, {
    method: "POST",
    headers,
    body: new URLSearchParams(fields),
    signal: AbortSignal.timeout(5000),
  });
}
