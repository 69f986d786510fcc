/**
 * The redirect URIs that preview slots of a client may have: `https://<hostPrefix>…<hostSuffix><path>`. An admin sets
 * it. CO-29.
 */
export type PreviewFrame = {
  /** Start of the host; can be empty. */
  hostPrefix: string;
  /** End of the host, with at least one dot. */
  hostSuffix: string;
  /** Everything after the host, compared as a whole string. */
  path: string;
};
