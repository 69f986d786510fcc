// npm install openid-client
// node sign-in.mjs
import * as oauth from "openid-client";

const issuer = new URL("__ISSUER__");
const options = issuer.protocol === "http:" ? { execute: [oauth.allowInsecureRequests] } : {}; // http only on your own machine
const gatehouse = await oauth.discovery(issuer, "__CLIENT_ID__", {}, oauth.None(), options);

const device = await oauth.initiateDeviceAuthorization(gatehouse, { scope: "__SCOPES__" });
console.log(`Open ${device.verification_uri} and enter the code ${device.user_code}`);
console.log(`or open ${device.verification_uri_complete}`);

// Polls at the server's interval until the user allows or denies it, or the code expires.
const tokens = await oauth.pollDeviceAuthorizationGrant(gatehouse, device).catch((error) => {
  console.error(`Not signed in: ${error.error_description ?? error.error ?? error.message}`);
  process.exit(1);
});
const subject = tokens.claims()?.sub; // undefined without the scope openid
const user = subject && (await oauth.fetchUserInfo(gatehouse, tokens.access_token, subject));
console.log(user ? `Signed in as ${user.email ?? user.name ?? user.sub}.` : "Allowed.", `Scopes: ${tokens.scope}`);
