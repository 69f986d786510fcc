import { handlers } from "__TO_ROOT__auth";

// Its URL is the redirect URI: __REDIRECT_URI__
export const { GET, POST } = handlers;
