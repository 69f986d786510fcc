/** Set by vite.config.ts. */
interface ImportMetaEnv {
  readonly ISSUER: string;
  readonly CLIENT_ID: string;
}
