function fromEnvironment(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set: the global setup has not run`);
  return value;
}

export const issuer = fromEnvironment("E2E_ISSUER");
export const adminUrl = fromEnvironment("E2E_ADMIN_URL");
/** The environment of the running installation. Commands run with it use the same database. */
export const environment: Record<string, string> = JSON.parse(fromEnvironment("E2E_ENVIRONMENT"));

/** `npm run test:full`: everything. Otherwise long tables are sampled. */
export const full = process.env["GATEHOUSE_TEST_FULL"] === "1";
