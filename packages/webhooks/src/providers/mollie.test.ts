import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { UNREACHABLE_PROVIDERS } from "../testing/outbound.ts";
import { enabled, receiver } from "../testing/scene.ts";
import { mollie } from "./mollie.ts";

const SECRET = "mollie_secret";
const BODY = '{"resource":"event","id":"event_1"}';
const GENUINE = "sha256=dfc1bf27de97d710fbbada0c822bf9bede247cb2f604a36deda6abf628d421db";
const OTHER = `sha256=${"0".repeat(64)}`;

describe("Mollie, next-gen webhooks", () => {
  async function reasonFor(signature: string, body = BODY) {
    const { send, store } = receiver({ mollie: enabled(SECRET) });
    await send("mollie", { body, headers: { "content-type": "application/json", "x-mollie-signature": signature } });
    return store.deliveries[0]?.reason;
  }

  test.each([
    ["the derived vector", GENUINE, "accepted"],
    ["the header twice, the old secret first", `${OTHER}, ${GENUINE}`, "accepted"],
    ["the header twice, the old secret last", `${GENUINE}, ${OTHER}`, "accepted"],
    ["an old secret alone", OTHER, "signature_mismatch"],
    ["no prefix", GENUINE.slice("sha256=".length), "signature_malformed"],
    ["another scheme alone", GENUINE.replace("sha256", "sha1"), "signature_scheme_unknown"],
  ])("%s → %s", async (_, signature, reason) => {
    expect(await reasonFor(signature)).toBe(reason);
  });

  test("the MAC is that of node:crypto over the raw bytes", async () => {
    const body = '{ "id": "event_2",\r\n "type": "payment.paid" }';
    expect(await reasonFor(`sha256=${createHmac("sha256", SECRET).update(body).digest("hex")}`, body)).toBe("accepted");
  });
});

describe("Mollie, classic webhooks", () => {
  const FORM = { "content-type": "application/x-www-form-urlencoded" };
  const PAYMENT = {
    id: "tr_5B8cwPMGnU6qLbRvo7qEZo",
    status: "paid",
    amountRefunded: { value: "0.00", currency: "EUR" },
  };

  /** A receiver whose provider has these objects. */
  function classic(objects: Record<string, unknown>, change: Partial<ReturnType<typeof enabled>> = {}) {
    const asked: [string, string][] = [];
    const fetchBack = async (url: string, apiKey: string) => {
      asked.push([url, apiKey]);
      if (apiKey === "live_revoked") throw new Error("answered with status 401");
      const object = objects[url.slice("https://api.mollie.com/v2/".length)];
      if (object instanceof Error) throw object;
      return object;
    };
    const configured = {
      ...enabled(SECRET),
      settings: { fetchBack: true },
      apiKeys: [{ id: "k0", value: "live_key" }],
      ...change,
    };
    const scene = receiver({ mollie: configured }, { outbound: { ...UNREACHABLE_PROVIDERS, fetchBack } });
    const deliver = async (body: string, headers: Record<string, string> = FORM) => {
      const response = await scene.send("mollie", { body, headers });
      return { status: response.status, row: scene.store.deliveries.at(-1) };
    };
    return { ...scene, asked, objects, deliver };
  }

  test("a payment that the API confirms is an event with its status, fetched with the endpoint's key", async () => {
    const { deliver, asked } = classic({ [`payments/${PAYMENT.id}`]: PAYMENT });
    const { status, row } = await deliver(`id=${PAYMENT.id}`);
    expect(status).toBe(200);
    expect(row).toMatchObject({ reason: "accepted", eventType: "payment.paid", eventId: PAYMENT.id, secretId: "k0" });
    expect(asked).toEqual([[`https://api.mollie.com/v2/payments/${PAYMENT.id}`, "live_key"]]);
  });

  test("the same state is a duplicate, and every change is a new event", async () => {
    const path = `payments/${PAYMENT.id}`;
    const { deliver, objects } = classic({ [path]: PAYMENT });
    const reasons = [];
    for (const amountRefunded of ["0.00", "0.00", "5.00"]) {
      objects[path] = { ...PAYMENT, amountRefunded: { value: amountRefunded, currency: "EUR" } };
      reasons.push((await deliver(`id=${PAYMENT.id}`)).row?.reason);
    }
    expect(reasons).toEqual(["accepted", "duplicate", "accepted"]);
  });

  test.each([
    ["ord_pbjz8x", "orders", "order.completed", { status: "completed" }],
    ["pl_4Y0eZitmBnQ6IDoMqZQKh", "payment-links", "payment-link", {}],
  ])("%s is fetched from %s", async (id, collection, eventType, state) => {
    const { deliver } = classic({ [`${collection}/${id}`]: { id, ...state } });
    expect((await deliver(`id=${id}`)).row).toMatchObject({ reason: "accepted", eventType });
  });

  test("an unreachable API → 503, so that Mollie sends it again", async () => {
    const { deliver, reported } = classic({ [`payments/${PAYMENT.id}`]: new Error("timed out") });
    const { status, row } = await deliver(`id=${PAYMENT.id}`);
    expect([status, row?.reason]).toEqual([503, "provider_unreachable"]);
    expect(reported).toHaveLength(1);
  });

  test("while an API key is replaced, either one can confirm a delivery", async () => {
    const objects = { [`payments/${PAYMENT.id}`]: PAYMENT };
    const apiKeys = [
      { id: "old", value: "live_revoked" },
      { id: "new", value: "live_key" },
    ];
    const { deliver, asked, reported } = classic(objects, { apiKeys });
    expect((await deliver(`id=${PAYMENT.id}`)).row).toMatchObject({ reason: "accepted", secretId: "new" });
    expect(asked.map(([, key]) => key)).toEqual(["live_revoked", "live_key"]);
    expect(reported).toEqual([]);
    expect((await deliver("id=tr_unknown")).row?.reason).toBe("provider_unreachable");
  });

  test.each<[string, unknown]>([
    ["does not know the object", undefined],
    ["answers with another object", { ...PAYMENT, id: "tr_other" }],
    ["answers with nonsense", "paid"],
  ])("not accepted if the API %s", async (_, object) => {
    const { deliver } = classic({ [`payments/${PAYMENT.id}`]: object });
    expect(await deliver(`id=${PAYMENT.id}`)).toMatchObject({ status: 400, row: { reason: "signature_mismatch" } });
  });

  test.each(["tr_", "tr_../orders", "tr_a%2Fb", "tr_a?x=1", "xx_abc", `tr_${"a".repeat(65)}`, ""])(
    "an id that could change the URL (%j) is never fetched",
    async (id) => {
      const { deliver, asked } = classic({});
      expect((await deliver(new URLSearchParams({ id }).toString())).row?.reason).toBe("signature_malformed");
      expect(asked).toEqual([]);
    },
  );

  test("not switched on, without an API key, or with a wrong signature, nothing is fetched", async () => {
    const objects = { [`payments/${PAYMENT.id}`]: PAYMENT };
    const off = classic(objects, { settings: {} });
    expect(await off.deliver(`id=${PAYMENT.id}`)).toMatchObject({ status: 400, row: { reason: "signature_missing" } });
    const keyless = classic(objects, { apiKeys: [] });
    expect(await keyless.deliver(`id=${PAYMENT.id}`)).toMatchObject({
      status: 503,
      row: { reason: "secret_not_configured" },
    });
    const forged = classic(objects);
    for (const [type, reason] of [
      ["application/json", "signature_mismatch"],
      // Only classic webhooks are forms, and those have no signature
      [FORM["content-type"], "content_type_unsupported"],
    ] as const) {
      const headers = { "content-type": type, "x-mollie-signature": OTHER };
      expect((await forged.deliver(`id=${PAYMENT.id}`, headers)).row?.reason).toBe(reason);
    }
    expect([...off.asked, ...keyless.asked, ...forged.asked]).toEqual([]);
  });

  test("one network causes at most 300 requests to Mollie a minute, and no number of them keeps Mollie's own from being confirmed", async () => {
    const { send, asked } = classic({ [`payments/${PAYMENT.id}`]: PAYMENT });
    const deliver = async (id: string, address: string) =>
      (await send("mollie", { body: `id=${id}`, headers: FORM }, address)).status;
    let last = 0;
    for (let at = 0; at < 310; at++) last = await deliver(`tr_unknown${at}`, "203.0.113.1");
    expect(last).toBe(503);
    expect(asked.length).toBeLessThanOrEqual(300);
    for (let network = 0; network < 12; network++) {
      for (let at = 0; at < 300; at++) last = await deliver("tr_unknown", `198.51.${network}.1`);
    }
    expect(last).toBe(503);
    expect(await deliver(PAYMENT.id, "203.0.114.1")).toBe(200);
  });

  test.each([
    [undefined, 0],
    [true, 0],
    [false, 0],
    ["yes", 1],
  ])("the setting fetchBack: %j has %i problems", (fetchBack, problems) => {
    expect(mollie.settingsProblems?.({ fetchBack })).toHaveLength(problems);
  });
});
