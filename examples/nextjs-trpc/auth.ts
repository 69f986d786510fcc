import { gatehouse } from "@gatehouse/sdk/next";

/** Configured by GATEHOUSE_ISSUER, GATEHOUSE_CLIENT_ID, GATEHOUSE_CLIENT_SECRET and GATEHOUSE_APP_URL. */
export const { auth, handlers, proxy } = gatehouse();
