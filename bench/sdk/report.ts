import { median } from "../statistics.ts";
import { type Measured, type Round, SUBJECTS, type SubjectName, type Times } from "./subjects.ts";

/** What a read of a session and a proxy may take, in milliseconds. PK-69. */
const MOST = { who: 0.3, proxy: 1 };

const TITLES: Record<SubjectName, string> = {
  floor: "one decryption; a proxy that does nothing",
  gatehouse: "Gatehouse",
  "next-auth": "next-auth",
  "better-auth": "better-auth, cookie cache",
  "better-auth-stored": "better-auth, SQLite",
};

/** A table in Markdown; says where Gatehouse misses a target. */
export function table(rounds: readonly Round[], { versions, cookies }: Measured): string {
  const of = (name: SubjectName, value: keyof Times) => median(rounds.map((round) => round[name][value]));
  const ratio = (name: SubjectName, value: "who" | "proxy") =>
    median(rounds.map((round) => round[name][value] / round.gatehouse[value]));
  const added = (name: SubjectName) => median(rounds.map((round) => round[name].wait - round.floor.wait));
  const ms = (value: number) => value.toFixed(3);
  const target = (value: number, most: number) => `≤ ${most}${value <= most ? "" : ", missed"}`;
  const rows = SUBJECTS.map((name) => {
    const [who, proxy, wait] = [of(name, "who"), of(name, "proxy"), added(name)];
    const isOurs = name === "gatehouse";
    return [
      TITLES[name],
      ms(who) + (isOurs ? ` (${target(who, MOST.who)})` : ""),
      `${ratio(name, "who").toFixed(2)} ×`,
      ms(proxy) + (isOurs ? ` (${target(proxy, MOST.proxy)})` : ""),
      `${ratio(name, "proxy").toFixed(2)} ×`,
      name === "floor" ? "–" : ms(wait) + (isOurs ? ` (${target(wait, MOST.proxy)})` : ""),
    ];
  });
  const head = ["", "`auth()`, ms", "× Gatehouse", "proxy, ms", "× Gatehouse", "added to a request by the proxy, ms"];
  const lines = [head, ["---", ...head.slice(1).map(() => "--:")], ...rows].map((cells) => `| ${cells.join(" | ")} |`);
  const installed = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  const sizes = SUBJECTS.slice(1, 4).map((name) => `${TITLES[name]} ${cookies[name].length}`);
  return `${lines.join("\n")}\n\n${installed.join(", ")}; bytes of cookies: ${sizes.join(", ")}.`;
}
