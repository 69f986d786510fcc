import { handlers } from "__TO_ROOT__auth";

// Sign-in, sign-out and the redirect URI: __REDIRECT_URI__
export const { GET, POST } = handlers;
