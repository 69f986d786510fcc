// What reading a session costs a product between two checks: npm run bench -- --sdk. In one process and without a
// network, since between two checks a read needs none.
import { product } from "../../packages/sdk/testing/product.ts";
import { median } from "../statistics.ts";

const ROUNDS = 5;
const READS = 2000;
const WARM_READS = 500;

const { app, browser } = product();
const ada = browser();
await ada.signIn();
const bytes = ada.request("/").headers.get("cookie")?.length ?? 0;

/** What no encrypted cookie can do without: one decryption of as many bytes. */
const key = await crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);
const cipher = { name: "AES-GCM", iv: new Uint8Array(12) };
const sealed = await crypto.subtle.encrypt(cipher, key, new Uint8Array(bytes));

/** The median time of a call, in milliseconds; `prepare` is not measured. */
async function medianMs<T>(prepare: () => T, call: (prepared: T) => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let at = 0; at < WARM_READS + READS; at++) {
    const prepared = prepare();
    const began = performance.now();
    await call(prepared);
    if (at >= WARM_READS) times.push(performance.now() - began);
  }
  return median(times);
}

const rounds: { auth: number; floor: number }[] = [];
for (let round = 0; round < ROUNDS; round++) {
  const auth = await medianMs(() => ada.request("/orders"), app.auth);
  const floor = await medianMs(
    () => undefined,
    () => crypto.subtle.decrypt(cipher, key, sealed),
  );
  rounds.push({ auth, floor });
}

const ms = (of: (round: (typeof rounds)[number]) => number) => median(rounds.map(of)).toFixed(3);
console.log(`a session of ${bytes} bytes, median of ${ROUNDS} rounds of ${READS} reads
  auth()            ${ms(({ auth }) => auth)} ms
  one decryption    ${ms(({ floor }) => floor)} ms
  ratio             ${median(rounds.map(({ auth, floor }) => auth / floor)).toFixed(2)}`);
