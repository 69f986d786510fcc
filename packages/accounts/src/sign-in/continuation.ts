/** Where a sign-in continues: a sealed pending request, or a local path. */
export type Continuation = { request: string | undefined; next: string | undefined };

/** To the account page. */
export const NOWHERE: Continuation = { request: undefined, next: undefined };
