/** Where a sign-in continues: a sealed pending request, or a local path. */
export type Continuation = { request: string | undefined; next: string | undefined };

/** A sign-in that continues with neither: it ends at the account page. */
export const ACCOUNT_PAGE: Continuation = { request: undefined, next: undefined };
