import { handlers } from "../../../../auth";

// Its URL is the redirect URI: __REDIRECT_URI__
export const { GET, POST } = handlers;
