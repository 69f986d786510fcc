// Configured by .env.local.

import { gatehouse } from "@gatehouse/sdk/next";

export const { auth, handlers, proxy } = gatehouse(__SDK_OPTIONS__);
