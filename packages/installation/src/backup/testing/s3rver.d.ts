declare module "@20minutes/s3rver" {
  import type { RequestListener } from "node:http";

  /** An S3-compatible server over a folder. Its one account is S3RVER, with the same secret. */
  export default class S3rver {
    constructor(options: {
      directory: string;
      silent: boolean;
      allowMismatchedSignatures: boolean;
      configureBuckets: { name: string }[];
    });
    configureBuckets(): Promise<void>;
    callback(): RequestListener;
  }
}
