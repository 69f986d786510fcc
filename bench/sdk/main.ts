// What a session costs a Next product, beside next-auth, better-auth and a proxy that does nothing: npm run bench -- --sdk.
// All of them are in one product under `next start`, and take turns. PK-69.
import { Agent, get } from "node:http";
import { median } from "../statistics.ts";
import { type Product, startProduct } from "./product.ts";
import { table } from "./report.ts";
import { type Round, SUBJECTS, type SubjectName, type Times } from "./subjects.ts";

const ROUNDS = 7;
const REQUESTS = 200;
const WARM_REQUESTS = 100;

/** One connection, whose requests follow each other. */
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/** Sends a request with the subject's session; throws if its answer is not that of a signed-in user. */
function ask({ port, cookies }: Product, path: "who" | "proxied", name: SubjectName) {
  return new Promise<{ took: number; wait: number }>((resolve, reject) => {
    const began = performance.now();
    const headers = { cookie: cookies[name] };
    const request = get({ agent, host: "127.0.0.1", port, path: `/${path}/${name}`, headers }, (response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
      response.on("end", () => {
        const expected = path === "who" ? "ada@example.com" : "passed";
        if (response.statusCode !== 200 || body !== expected)
          return reject(new Error(`${path} of ${name}: ${response.statusCode} ${body.slice(0, 200)}`));
        return resolve({ took: Number(response.headers["x-took"]), wait: performance.now() - began });
      });
    });
    request.once("error", reject);
  });
}

/** One subject at a time, as a product has one: in turn request by request, each would find the caches of the processor cold. */
async function measure(product: Product, name: SubjectName): Promise<Times> {
  const [who, proxy, wait]: [number[], number[], number[]] = [[], [], []];
  for (let at = 0; at < WARM_REQUESTS + REQUESTS; at++) {
    const asked = await ask(product, "who", name);
    const passed = await ask(product, "proxied", name);
    if (at < WARM_REQUESTS) continue;
    who.push(asked.took);
    proxy.push(passed.took);
    wait.push(passed.wait);
  }
  return { who: median(who), proxy: median(proxy), wait: median(wait) };
}

/** The order changes with each round. */
async function measureAll(product: Product, round: number): Promise<Round> {
  const times: [SubjectName, Times][] = [];
  for (const at of SUBJECTS.keys()) {
    const name = SUBJECTS[(at + round) % SUBJECTS.length] ?? "floor";
    times.push([name, await measure(product, name)]);
  }
  return Object.fromEntries(times) as Round;
}

const product = await startProduct();
try {
  const rounds: Round[] = [];
  for (let round = 0; round < ROUNDS; round++) rounds.push(await measureAll(product, round));
  console.log(table(rounds, product));
} finally {
  agent.destroy();
  await product.stop();
}
