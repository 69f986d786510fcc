/** The name of the package for this machine, without the scope. */
export const SQLITE: string;
