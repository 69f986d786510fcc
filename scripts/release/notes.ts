/** A commit of the history, as `git log` has it. */
export type Commit = { hash: string; subject: string; body: string };

/** The types of Conventional Commits that concern who upgrades, in order. */
const SECTIONS: readonly [type: string, title: string][] = [
  ["security", "Security"],
  ["feat", "Added"],
  ["fix", "Fixed"],
  ["perf", "Faster"],
];
const SUBJECT = /^(?<type>\w+)(?:\((?<scope>[^)]+)\))?(?<breaking>!)?: (?<text>.+)$/;
const BREAKING = /^BREAKING[ -]CHANGE: ([\s\S]+?)(?:\n\n|(?![\s\S]))/m;

/** `git log` with this format is read by {@link readCommits}. */
export const LOG_FORMAT = "%H%x1f%s%x1f%b%x1e";

export function readCommits(log: string): Commit[] {
  return log
    .split("\x1e")
    .map((one) => one.trim().split("\x1f"))
    .filter(([hash]) => hash !== "")
    .map(([hash = "", subject = "", body = ""]) => ({ hash, subject, body: body.trim() }));
}

/**
 * The notes of a release in Markdown: what its section of the changelog says, then every commit since the last release
 * that changes something for who upgrades; breaking ones first. OP-98
 */
export function releaseNotes(version: string, changelog: string | undefined, commits: readonly Commit[]): string {
  const read = commits.flatMap((commit) => {
    const groups = SUBJECT.exec(commit.subject)?.groups;
    return groups ? [{ ...commit, ...groups, breaking: breakingChange(commit, groups["breaking"]) }] : [];
  });
  const lines = (chosen: typeof read, textOf: (one: (typeof read)[number]) => string) =>
    chosen.map((one) => `- ${scopeOf(one)}${textOf(one)} (${one.hash.slice(0, 8)})`);
  const breaking = lines(
    read.filter((one) => one.breaking !== undefined),
    (one) => one.breaking ?? "",
  );
  const sections = SECTIONS.map(([type, title]) => ({
    title,
    lines: lines(
      read.filter((one) => "type" in one && one.type === type && one.breaking === undefined),
      textOf,
    ),
  }));
  return [
    `# Gatehouse ${version}`,
    ...(changelog ? [changelog.trim()] : []),
    ...[{ title: "Breaking changes", lines: breaking }, ...sections]
      .filter((section) => section.lines.length > 0)
      .map((section) => `## ${section.title}\n\n${section.lines.join("\n")}`),
  ]
    .join("\n\n")
    .concat("\n");
}

/** The section of one version in CHANGELOG.md, without its heading. Undefined if there is none. */
export function changelogSection(changelog: string, version: string): string | undefined {
  const sections = changelog.split(/^## /m).slice(1);
  const own = sections.find((section) => section.replace(/^\[/, "").startsWith(version));
  return own?.slice(own.indexOf("\n") + 1).trim();
}

const textOf = (one: object) => ("text" in one ? String(one.text) : "");
const scopeOf = (one: object) => ("scope" in one && one.scope ? `**${one.scope}**: ` : "");

function breakingChange({ subject, body }: Commit, mark: string | undefined): string | undefined {
  const [, described] = BREAKING.exec(body) ?? [];
  if (described !== undefined) return described.replaceAll("\n", " ");
  return mark === "!" ? subject.replace(/^[^:]+: /, "") : undefined;
}
