import { SCOPES } from "@gatehouse/auth";
import { productScopes } from "./scopes.ts";

/** Every scope of this installation, for `Config.scopes`. */
export const scopes = { ...SCOPES, ...productScopes } as const;

export type ScopeName = keyof typeof scopes;
