export type Place = { folder: string; port: string; adminPort: string };

/** The environment of a demo in this folder. What the user has set for an installation of their own does not count. */
export function demoEnvironment({ folder, port, adminPort }: Place): Record<string, string> {
  const given = Object.entries(process.env).filter(
    ([name]) => !/^(GATEHOUSE_|DATABASE_|PG[A-Z]|(HOST|WEB_CONCURRENCY)$)/.test(name),
  );
  return {
    ...(Object.fromEntries(given) as Record<string, string>),
    NEXT_TELEMETRY_DISABLED: "1",
    GATEHOUSE_ENV_FILE: "off",
    GATEHOUSE_DATA_DIR: folder,
    GATEHOUSE_ISSUER: `http://localhost:${port}`,
    GATEHOUSE_ADMIN_URL: `http://localhost:${adminPort}`,
    PORT: port,
    ADMIN_PORT: adminPort,
  };
}
