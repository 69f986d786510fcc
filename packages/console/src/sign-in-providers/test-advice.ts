import {
  callbackUrl,
  fieldName,
  type Preset,
  type SignInProvider,
  type UpstreamTestOutcome,
} from "@gatehouse/accounts";

type About = { provider: SignInProvider; preset: Preset; callback: string };

/** What to change after a test of a sign-in, and where, in the words of the provider's own pages; null if nothing. */
export function adviceOnTest(
  outcome: UpstreamTestOutcome,
  provider: SignInProvider,
  preset: Preset,
  config: { issuer: string },
): string | null {
  const about = { provider, preset, callback: callbackUrl(provider.id, config) };
  return outcome.kind === "failed" ? adviceOnFailure(outcome, about) : adviceOnArrival(outcome, about);
}

type Failure = Extract<UpstreamTestOutcome, { kind: "failed" }>;
type Arrived = Extract<UpstreamTestOutcome, { kind: "arrived" }>;

function adviceOnFailure(failure: Failure, about: About): string {
  const { provider, preset } = about;
  const name = (field: Parameters<typeof fieldName>[0]) => `“${fieldName(field, preset)}”`;
  switch (failure.problem) {
    case "denied":
      return failure.code === "access_denied" || failure.code === "user_cancelled_authorize"
        ? `The sign-in was cancelled at ${provider.name}, or ${provider.name} does not let this account in. Try again, or allow the account there.`
        : (adviceOnCode(failure.code, about) ??
            `${provider.name} refused the request. Check its settings for this client: scopes, and ${name("clientId")}.`);
    case "exchange_refused":
      return (
        adviceOnCode(failure.code, about) ??
        `${provider.name} did not take the code. Check ${name("clientId")} and ${name("secret")}.`
      );
    case "unreachable":
      return `${reached(about)} did not give a usable answer. The operator of this server checks that it may reach it; for an address in a private network, switch on “Allow private network”.`;
    case "misconfigured":
      return preset.fields.includes("issuer")
        ? `Check the settings: ${name("issuer")} has to be exactly what the provider's metadata says.`
        : "Complete the settings, or enter the secret again.";
    case "answer_invalid":
      return preset.fields.includes("issuer")
        ? `Compare ${name("issuer")} and ${name("clientId")} with ${provider.name}, and the clocks of both servers.`
        : `Compare ${name("clientId")} with ${provider.name}, and check this server's clock.`;
    case "tenant_unknown":
      return `Add the tenant of this account to ${name("tenants")}, or sign in with an account of a listed tenant.`;
    case "sign_in_too_old":
      return "Sign out at the provider, then test again.";
  }
}

/** Codes of the provider that name one setting. */
function adviceOnCode(code: string | null, { provider, preset, callback }: About): string | null {
  const name = (field: Parameters<typeof fieldName>[0]) => `“${fieldName(field, preset)}”`;
  switch (code) {
    case "invalid_client":
    case "incorrect_client_credentials":
      return `${provider.name} refuses the credentials. Enter ${name("secret")} again: it may be wrong, or expired. Check ${name("clientId")} as well.`;
    case "unauthorized_client":
      return `${provider.name} knows the client, but does not allow it this sign-in. Check ${name("clientId")}, and that it may use the authorization code flow.`;
    case "redirect_uri_mismatch":
      return `Add ${callback} to “${preset.callbackName}” at ${provider.name}.`;
    case "invalid_scope":
      return `${provider.name} does not allow one of the scopes. Check “Scopes” here, and what the client may ask for there.`;
    case "invalid_grant":
    case "bad_verification_code":
      return `${provider.name} did not take the code. Check that ${callback} is in “${preset.callbackName}”, byte for byte, and test again.`;
    case "temporarily_unavailable":
    case "server_error":
      return `${provider.name} has a problem of its own. Try again later.`;
    default:
      return null;
  }
}

const reached = ({ provider, preset }: About) =>
  preset.fields.includes("issuer") && provider.issuer !== null ? provider.issuer : provider.name;

function adviceOnArrival({ email, emailVerified, leadsTo }: Arrived, { provider, preset }: About): string | null {
  switch (leadsTo.reason) {
    case "email_unverified":
      return email === null ? adviceOnMissingEmail(provider) : adviceOnUnverified(provider, preset);
    case "other_domain":
      return "The address is of another domain than “Domains” lists, so this provider may not assert it.";
    case "other_provider":
      return "The domain of this address signs in at another provider.";
    case "no_account":
      return "Nobody has this address here, and no account is made: sign-up is not open, or “New users get an account” is off.";
    default:
      return emailVerified || leadsTo.kind === "sign_in" ? null : adviceOnUnverified(provider, preset);
  }
}

function adviceOnMissingEmail({ name, preset }: SignInProvider): string {
  if (preset === "github")
    return "GitHub gave no verified primary address. A GitHub App needs the permission “Email addresses”, read-only, under “Account permissions”.";
  return `${name} sent no address. Ask for the scope “email”, and check that the account has an address there.`;
}

function adviceOnUnverified({ name, preset: kind }: SignInProvider, preset: Preset): string {
  if (kind === "microsoft")
    return "The address does not count as verified. Under “Token configuration” in Entra, add the optional claims “email” and “xms_edov” to the ID token.";
  if (kind === "google")
    return "The address does not count as verified: Google vouches only for Gmail and Workspace addresses.";
  if (preset.fields.includes("trustEmail"))
    return `The address does not count as verified. If ${name} checks each address itself and sends email_verified, switch on “Trust verified addresses”.`;
  return `The address does not count as verified, because ${name} does not say so.`;
}
