import { createServer, type IncomingMessage, request as startRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { toRequest } from "../convert.ts";
import { LightHeaders } from "./headers.ts";
import { LightRequest } from "./request.ts";
import { LightResponse } from "./response.ts";

// Every assertion runs on the standard class and on the light one: what the standard class does is what handlers may
// rely on.

const ORIGIN = "https://gate.example";
const READERS = ["text", "json", "arrayBuffer", "blob"] as const;
type Reader = (typeof READERS)[number];

const thrownBy = async (action: () => unknown) => {
  try {
    await action();
    return "nothing";
  } catch (error) {
    return error instanceof Error ? error.name : error;
  }
};

describe.each<[string, (init?: HeadersInit) => Headers]>([
  ["standard", (init) => new Headers(init)],
  ["light", (init) => LightHeaders.from(init) as unknown as Headers],
])("the contract of Headers: %s", (_, make) => {
  test.each<[string, HeadersInit]>([
    ["a record", { "X-One": "1", ETag: '"a"' }],
    ["pairs", [["X-One", "1"] as [string, string], ["ETag", '"a"'] as [string, string]]],
    ["other headers", new Headers({ "X-One": "1", ETag: '"a"' })],
  ])("are made from %s", (_, init) => {
    expect([...make(init)]).toEqual([
      ["etag", '"a"'],
      ["x-one", "1"],
    ]);
  });

  test("names are case-insensitive, and what is missing is null", () => {
    const headers = make({ "Content-Type": "text/plain" });
    expect([headers.get("content-type"), headers.get("CONTENT-TYPE"), headers.get("x")]).toEqual([
      "text/plain",
      "text/plain",
      null,
    ]);
    expect([headers.has("Content-type"), headers.has("x")]).toEqual([true, false]);
    headers.delete("CONTENT-type");
    expect([...headers]).toEqual([]);
  });

  test("set replaces, append joins with a comma", () => {
    const headers = make({ vary: "Cookie" });
    headers.append("Vary", "Authorization");
    expect(headers.get("vary")).toBe("Cookie, Authorization");
    headers.set("VARY", "Accept");
    expect(headers.get("vary")).toBe("Accept");
    headers.append("x-new", "1");
    expect(headers.get("x-new")).toBe("1");
  });

  test("cookies stay separate", () => {
    const headers = make({ a: "1" });
    headers.append("Set-Cookie", "b=1");
    headers.append("set-cookie", "c=2, d");
    expect(headers.getSetCookie()).toEqual(["b=1", "c=2, d"]);
    expect(headers.get("set-cookie")).toBe("b=1, c=2, d");
    expect([...headers]).toEqual([
      ["a", "1"],
      ["set-cookie", "b=1"],
      ["set-cookie", "c=2, d"],
    ]);
    headers.set("set-cookie", "e=3");
    expect(headers.getSetCookie()).toEqual(["e=3"]);
    expect(make().getSetCookie()).toEqual([]);
  });

  test("are iterated by name, in every way", () => {
    const headers = make({ b: "2", A: "1" });
    const visited: [string, string][] = [];
    headers.forEach((value, name) => {
      visited.push([name, value]);
    });
    const expected = [
      ["a", "1"],
      ["b", "2"],
    ];
    expect([...headers, ...headers.entries(), ...visited]).toEqual([...expected, ...expected, ...expected]);
    expect([[...headers.keys()], [...headers.values()]]).toEqual([
      ["a", "b"],
      ["1", "2"],
    ]);
  });

  test("white space around a value is removed", () => {
    expect(make({ a: " \t1 2\t " }).get("a")).toBe("1 2");
  });

  test.each(["a\r\nSet-Cookie: x=1", "a\nb", "a\0b", "snow ☃"])("the value %j is rejected", async (value) => {
    expect(await thrownBy(() => make({ location: value }))).toBe("TypeError");
    expect(await thrownBy(() => make().set("location", value))).toBe("TypeError");
    expect(await thrownBy(() => make({ location: "/" }).append("location", value))).toBe("TypeError");
  });

  test.each(["", "a b", "a:b", "a\r\n", "ä"])("the name %j is rejected", async (name) => {
    expect(await thrownBy(() => make().set(name, "1"))).toBe("TypeError");
    expect(await thrownBy(() => make().append(name, "1"))).toBe("TypeError");
  });
});

describe.each<[string, typeof Response]>([
  ["standard", Response],
  ["light", LightResponse as unknown as typeof Response],
])("the contract of Response: %s", (_, Make) => {
  test("defaults", () => {
    const { status, statusText, ok, body, bodyUsed, type, url, redirected, headers } = new Make();
    expect({ status, statusText, ok, body, bodyUsed, type, url, redirected, headers: [...headers] }).toEqual({
      status: 200,
      statusText: "",
      ok: true,
      body: null,
      bodyUsed: false,
      type: "default",
      url: "",
      redirected: false,
      headers: [],
    });
  });

  test.each([
    [200, true],
    [204, true],
    [299, true],
    [304, false],
    [404, false],
    [599, false],
  ])("status %i: ok is %s", (status, ok) => {
    expect(new Make(null, { status, statusText: "Fine" })).toMatchObject({ status, ok, statusText: "Fine" });
  });

  test("a status out of range, and a body where none is allowed, are rejected", async () => {
    for (const status of [0, 199, 600]) expect(await thrownBy(() => new Make(null, { status }))).toBe("RangeError");
    for (const status of [204, 205, 304]) expect(await thrownBy(() => new Make("text", { status }))).toBe("TypeError");
  });

  test.each<[string, BodyInit, string | null]>([
    ["text", "{}", "text/plain;charset=UTF-8"],
    ["bytes", new Uint8Array([1]), null],
    ["a form", new URLSearchParams({ a: "1" }), "application/x-www-form-urlencoded;charset=UTF-8"],
    ["a blob", new Blob(["{}"], { type: "application/json" }), "application/json"],
    ["a stream", new Blob(["{}"]).stream(), null],
  ])("the content type of %s", (_, body, type) => {
    expect(new Make(body).headers.get("content-type")).toBe(type);
    if (typeof body === "string")
      expect(new Make(body, { headers: { "Content-Type": "a/b" } }).headers.get("content-type")).toBe("a/b");
  });

  test("each reader returns the body", async () => {
    const text = '{"ä":[1]}';
    const bytes = new TextEncoder().encode(text);
    for (const body of [text, bytes, new Blob([text])]) {
      expect(await new Make(body).text()).toBe(text);
      expect(await new Make(body).json()).toEqual({ ä: [1] });
      expect(new Uint8Array(await new Make(body).arrayBuffer())).toEqual(bytes);
      expect(await (await new Make(body).blob()).text()).toBe(text);
    }
    expect((await new Make(text, { headers: { "content-type": "a/b" } }).blob()).type).toBe("a/b");
    expect((await new Make(new URLSearchParams({ a: "b c" })).formData()).get("a")).toBe("b c");
    expect(await new Make(null).text()).toBe("");
    expect(await thrownBy(() => new Make("{").json())).toBe("SyntaxError");
  });

  test.each(READERS)("%s uses the body up", async (reader) => {
    for (const body of ["{}", new Blob(["{}"]).stream()]) {
      const response = new Make(body);
      expect(response.bodyUsed).toBe(false);
      await response[reader]();
      expect(response.bodyUsed).toBe(true);
      for (const again of READERS) expect(await thrownBy(() => response[again]())).toBe("TypeError");
      expect(await thrownBy(() => response.clone())).toBe("TypeError");
    }
  });

  test("a clone has the status and the headers, and each is read once", async () => {
    const response = new Make("text", {
      status: 202,
      statusText: "Later",
      headers: [["Set-Cookie", "a=1"] as [string, string], ["ETag", '"1"']],
    });
    const clone = response.clone();
    expect(clone).toMatchObject({ status: 202, statusText: "Later", bodyUsed: false });
    expect([...clone.headers]).toEqual([...response.headers]);
    expect([await clone.text(), await response.text()]).toEqual(["text", "text"]);
  });

  test("the body is one stream", async () => {
    const response = new Make("text");
    expect(response.body).toBe(response.body);
    const { value } = (await response.body?.getReader().read()) ?? {};
    expect(Buffer.from(value ?? []).toString()).toBe("text");
    expect(response.bodyUsed).toBe(true);
    expect(await thrownBy(() => response.text())).toBe("TypeError");
  });

  test("json", async () => {
    const response = Make.json({ a: null }, { status: 400, headers: { "Cache-Control": "no-store" } });
    expect(response.status).toBe(400);
    expect([...response.headers]).toEqual([
      ["cache-control", "no-store"],
      ["content-type", "application/json"],
    ]);
    expect(await response.json()).toEqual({ a: null });
    expect(Make.json(1, { headers: { "content-type": "a/b" } }).headers.get("content-type")).toBe("a/b");
    expect(await thrownBy(() => Make.json(undefined))).toBe("TypeError");
  });

  test("redirect", async () => {
    const response = Make.redirect("https://a.example/ü?x=1", 303);
    expect(response.status).toBe(303);
    expect(response.headers.get("location")).toBe("https://a.example/%C3%BC?x=1");
    expect(Make.redirect("https://a.example/").status).toBe(302);
    expect(await thrownBy(() => Make.redirect("https://a.example/", 200))).toBe("RangeError");
    expect(await thrownBy(() => Make.redirect("/relative"))).toBe("TypeError");
  });
});

let handle: (incoming: IncomingMessage) => Promise<unknown> = async () => undefined;
const server = createServer({ joinDuplicateHeaders: true }, async (incoming, outgoing) => {
  await handle(incoming);
  outgoing.end();
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
afterAll(() => new Promise((resolve) => server.close(resolve)));

type Sent = { method?: string; path?: string; headers?: Record<string, string | string[]>; body?: string | Uint8Array };

describe.each<[string, (incoming: IncomingMessage) => Request]>([
  ["standard", (incoming) => toRequest(incoming, ORIGIN)],
  ["light", (incoming) => new LightRequest(incoming, ORIGIN) as unknown as Request],
])("the contract of Request: %s", (_, make) => {
  /** Sends a request over HTTP and returns what `use` makes of what the server received. */
  function received<T>(
    { method = "POST", path = "/", headers = {}, body = "" }: Sent,
    use: (request: Request) => T | Promise<T>,
  ) {
    const { port } = server.address() as AddressInfo;
    return new Promise<Awaited<T>>((resolve, reject) => {
      handle = async (incoming) => resolve(await use(make(incoming)));
      startRequest({ host: "127.0.0.1", port, method, path, headers }, (answer) => answer.resume())
        .on("error", reject)
        .end(body);
    });
  }

  test.each(["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"])("method and URL of %s", async (method) => {
    const path = "/a%20b/%C3%BC?x=1&x=%2B";
    expect(await received({ method, path, headers: { host: "evil.example" } }, (r) => [r.method, r.url])).toEqual([
      method,
      ORIGIN + path,
    ]);
  });

  test("headers", async () => {
    const headers = { "X-One": "1", "X-Two": ["a", "b"], Cookie: "c=1; d=2", Accept: "text/html" };
    const seen = await received({ method: "GET", headers }, (r) => ({
      read: [r.headers.get("x-one"), r.headers.get("X-TWO"), r.headers.get("cookie"), r.headers.get("missing")],
      has: [r.headers.has("ACCEPT"), r.headers.has("missing")],
      names: [...r.headers.keys()],
    }));
    expect(seen).toEqual({
      read: ["1", "a, b", "c=1; d=2", null],
      has: [true, false],
      names: ["accept", "connection", "cookie", "host", "x-one", "x-two"],
    });
  });

  test("each reader returns the body", async () => {
    const text = '{"ä":[1]}';
    const sent = { headers: { "content-type": "application/json" }, body: text };
    expect(await received(sent, (r) => r.text())).toBe(text);
    expect(await received(sent, (r) => r.json())).toEqual({ ä: [1] });
    expect(Buffer.from(await received(sent, (r) => r.arrayBuffer())).toString()).toBe(text);
    const blob = await received(sent, (r) => r.blob());
    expect([blob.type, await blob.text()]).toEqual(["application/json", text]);
    expect(await received({ body: "\uFEFFtext" }, (r) => r.text())).toBe("text");
    expect(await received({ body: "{" }, (r) => thrownBy(() => r.json()))).toBe("SyntaxError");
  });

  test("forms, URL-encoded and multipart", async () => {
    const urlEncoded = {
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: "a=b+c&a=%C3%BC&empty=",
    };
    expect(await received(urlEncoded, async (r) => [...(await r.formData())])).toEqual([
      ["a", "b c"],
      ["a", "ü"],
      ["empty", ""],
    ]);
    const body =
      '--x\r\nContent-Disposition: form-data; name="f"; filename="n.txt"\r\nContent-Type: text/plain\r\n\r\nfile\r\n--x--\r\n';
    const file = await received({ headers: { "content-type": "multipart/form-data; boundary=x" }, body }, async (r) => {
      const sent = (await r.formData()).get("f");
      return sent instanceof File ? [sent.name, await sent.text()] : sent;
    });
    expect(file).toEqual(["n.txt", "file"]);
    const plain = { headers: { "content-type": "text/plain" }, body: "a=1" };
    expect(await received(plain, (r) => thrownBy(() => r.formData()))).toBe("TypeError");
  });

  test.each<Reader>(READERS)("%s uses the body up", async (reader) => {
    const outcome = await received({ body: "{}" }, async (r) => {
      const before = r.bodyUsed;
      await r[reader]();
      const again = await Promise.all(READERS.map((other) => thrownBy(() => r[other]())));
      return [before, r.bodyUsed, new Set(again), await thrownBy(() => r.clone())];
    });
    expect(outcome).toEqual([false, true, new Set(["TypeError"]), "TypeError"]);
  });

  test("a clone is read apart from the original, in either order", async () => {
    const cloneFirst = await received({ path: "/x", body: "text" }, async (r) => {
      const clone = r.clone();
      return [
        clone.method,
        clone.url,
        clone.headers.get("content-length"),
        await clone.text(),
        r.bodyUsed,
        await r.text(),
      ];
    });
    expect(cloneFirst).toEqual(["POST", `${ORIGIN}/x`, "4", "text", false, "text"]);
    const originalFirst = await received({ body: "text" }, async (r) => {
      const clone = r.clone();
      return [await r.text(), clone.bodyUsed, await clone.text()];
    });
    expect(originalFirst).toEqual(["text", false, "text"]);
  });

  test("the body is a stream, and reading it uses it up", async () => {
    const outcome = await received({ body: "text" }, async (r) => {
      const text = await new Response(r.body).text();
      return [text, r.bodyUsed, await thrownBy(() => r.text())];
    });
    expect(outcome).toEqual(["text", true, "TypeError"]);
  });

  test.each(["GET", "HEAD"])("%s has no body", async (method) => {
    expect(await received({ method }, async (r) => [r.body, await r.text(), r.bodyUsed, await r.text()])).toEqual([
      null,
      "",
      false,
      "",
    ]);
  });

  test("the signal is not aborted while the request is handled", async () => {
    const outcome = await received({ body: "text" }, async (r) => {
      let aborted = 0;
      r.signal.addEventListener("abort", () => {
        aborted++;
      });
      await r.text();
      return [r.signal instanceof AbortSignal, r.signal.aborted, aborted];
    });
    expect(outcome).toEqual([true, false, 0]);
  });
});
