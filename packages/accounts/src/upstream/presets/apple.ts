import { importPKCS8, SignJWT } from "jose";
import { UpstreamError } from "../upstream-error.ts";
import { type Preset, standardProfile, type UpstreamAnswer } from "./preset.ts";

const ISSUER = "https://appleid.apple.com";
/** Apple allows six months; one request needs seconds. */
const SECRET_SECONDS = 300;
const MAX_USER_LENGTH = 2048;

/** Sign in with Apple. UP-11. */
export const apple: Preset = {
  name: "Apple",
  docsUrl: "https://developer.apple.com/help/account/capabilities/configure-sign-in-with-apple-for-the-web",
  steps: [
    "In your Apple developer account, register an App ID with the capability “Sign in with Apple”.",
    "Register a Services ID, enable “Sign in with Apple” and configure it: your domain, and {callback} as return URL. Apple requires https and a public domain.",
    "Create a key with “Sign in with Apple” and download the .p8 file: Apple offers it once.",
    "Copy the Services ID, the team ID, the key ID and the whole content of the .p8 file into this form.",
  ],
  fields: ["teamId", "keyId"],
  names: { clientId: "Services ID", secret: "Private key (.p8 file)" },
  callbackName: "Return URLs",
  secret: "Private key",
  scopes: ["openid", "email", "name"],
  formPost: true,
  issuerOf: () => ISSUER,
  parametersOf: () => ({ response_mode: "form_post" }),
  authenticate: ({ clientId, settings: { teamId, keyId } }, privateKey, { now }) => {
    return async (_server, _client, body) => {
      if (teamId === undefined || keyId === undefined)
        throw new UpstreamError("misconfigured", "the team id or the key id is missing");
      const key = await importPKCS8(privateKey, "ES256").catch((cause: unknown) => {
        throw new UpstreamError("misconfigured", "the private key is not a PKCS #8 key for ES256", { cause });
      });
      const secret = await new SignJWT()
        .setProtectedHeader({ alg: "ES256", kid: keyId })
        .setIssuer(teamId)
        .setSubject(clientId)
        .setAudience(ISSUER)
        .setIssuedAt(now())
        .setExpirationTime(now() + SECRET_SECONDS)
        .sign(key);
      body.set("client_id", clientId);
      body.set("client_secret", secret);
    };
  },
  profileOf: ({ claims, callback }) => ({
    ...standardProfile(claims, claims["email_verified"] === true || claims["email_verified"] === "true"),
    name: nameFrom(callback),
  }),
};

/** Apple sends the name once, at the first sign-in, beside the signed answer: it is as good as typed by the user. */
function nameFrom(callback: UpstreamAnswer["callback"]): string | null {
  const sent = callback.get("user");
  if (sent === null || sent.length > MAX_USER_LENGTH) return null;
  try {
    const { firstName, lastName } = JSON.parse(sent)?.name ?? {};
    const parts = [firstName, lastName].filter((part) => typeof part === "string" && part !== "");
    return parts.length > 0 ? parts.join(" ") : null;
  } catch {
    return null;
  }
}
