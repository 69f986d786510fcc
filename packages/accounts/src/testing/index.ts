export { type Behaviour, newAuthenticator } from "./authenticator.ts";
export { type ComposedMail, createTestMail } from "./mail.ts";
export { TEST_SETTINGS } from "./settings.ts";
export { codeOf } from "./totp.ts";
