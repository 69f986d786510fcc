import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { projectWith } from "../init/testing/project.ts";
import { checkProduct } from "./check.ts";
import type { Entry } from "./entries.ts";

const AUTH = `import { gatehouse } from "@gatehouse/sdk/next";
export const { auth, handlers, proxy, getAccessToken } = gatehouse();
`;
const BASE = {
  "package.json": { dependencies: { next: "16.4.6" } },
  "tsconfig.json": '{ "compilerOptions": { "paths": { "@/*": ["./*"] } } }',
  "auth.ts": AUTH,
  "proxy.ts": 'import { proxy } from "./auth";\nexport default proxy({ public: ["/", "/about", "/blog/:slug"] });\n',
};
const check = (files: Record<string, string | object>, said: readonly string[] = []) =>
  checkProduct(projectWith({ ...BASE, ...files }), said).entries;

/** What is said of an entry: its check, the public pattern, or the problem. */
const saidOf = (entry: Entry | undefined) =>
  entry && (entry.check ?? (entry.public === undefined ? `✗ ${entry.problem?.code}` : `public ${entry.public}`));

const IMPORT = 'import { auth } from "@/auth";\nimport { orders } from "@/db";\n';
/** The verdict on a page whose module has this text. */
const page = (text: string, more: Record<string, string> = {}) =>
  saidOf(check({ "app/orders/page.tsx": IMPORT + text, ...more })[0]);
const handler = (text: string, more: Record<string, string> = {}) =>
  check({ "app/api/orders/route.ts": IMPORT + text, ...more }).map((entry) => `${entry.name} ${saidOf(entry)}`);
const action = (text: string, more: Record<string, string> = {}) =>
  check({ "app/actions.ts": `"use server";\n${IMPORT}${text}`, ...more }).map(
    (entry) => `${entry.name} ${saidOf(entry)}`,
  );

describe("PK-42 a page is checked", () => {
  test.each([
    ["at the top", "export default async function P() { await auth.protect(); return <p>{await orders()}</p>; }"],
    [
      "with what it returns",
      "export default async () => { const { user } = await auth.protect({ maxAge: 60 }); return <p>{user.name}</p>; }",
    ],
    [
      "through a member",
      "export default async () => { const user = (await auth.protect()).user; return <p>{user.name}</p>; }",
    ],
    [
      "after its parameters",
      "export default async function P({ params }: { params: Promise<{ id: string }> }) { const { id } = await params; await auth.protect(); return <p>{id}</p>; }",
    ],
    [
      "after headers",
      'import { headers } from "next/headers";\nexport default async function P() { const all = await headers(); await auth.protect(); return null; }',
    ],
    [
      "in the first operand of a condition",
      "export default async () => { if ((await auth.protect()).user.email !== null) return null; return <p>{await orders()}</p>; }",
    ],
    [
      "in the first value that it returns",
      "export default async () => ({ title: (await auth.protect()).user.name, all: await orders() })",
    ],
    ["by name", "async function P() { await auth.protect(); return null; }\nexport default P;"],
    ["under another name", "async function P() { await auth.protect(); return null; }\nexport { P as default };"],
    [
      "with types around it",
      "export default (async () => { await (auth.protect() as Promise<unknown>); return null; }) satisfies unknown;",
    ],
  ])("%s", (_, text) => expect(page(text)).toBe("auth.protect()"));

  test("in a component within Suspense, beside what shows nothing of the product", () => {
    const text = `import { Suspense } from "react";
      import Link from "next/link";
      import { Menu } from "@/components/menu";
      export default function P() {
        return <main><Menu /><Logo /><Link href="/">x</Link><Suspense fallback={<p>Loading</p>}><Account /></Suspense></main>;
      }
      const Logo = () => <svg className={cn("a", "b")} />;
      const cn = (...names: string[]) => names.join(" ");
      async function Account() { await auth.protect(); return <p>{await orders()}</p>; }`;
    const menu = { "components/menu.tsx": '"use client";\nexport const Menu = () => { fetch("/api"); return null; };' };
    expect(page(text, menu)).toBe("auth.protect() in Account");
  });

  test("by a function of the product, here or in another module", () => {
    expect(
      page(
        "const requireUser = async () => auth.protect({ maxAge: 60 });\nexport default async () => { await requireUser(); return null; }",
      ),
    ).toBe("requireUser()");
    const more = {
      "lib/user.ts":
        'import { cache } from "react";\nimport { auth } from "../auth.js";\nexport const requireUser = cache(async () => { const { user } = await auth.protect(); return user; });',
      "lib/index.ts": 'export * from "./user";',
    };
    expect(
      page(
        'import { requireUser } from "@/lib";\nexport default async () => { const user = await requireUser(); return null; }',
        more,
      ),
    ).toBe("requireUser()");
    expect(
      page(
        'import * as user from "@/lib";\nexport default async () => { await user.requireUser(); return null; }',
        more,
      ),
    ).toBe("user.requireUser()");
  });

  test("by one that gets the request, and awaits what belongs to it", () => {
    const load = (start: string) =>
      `async function load({ params }) { ${start}; await auth.protect(); return orders(id); }
       export default async (props) => { const all = await load(props); return <p>{all}</p>; }`;
    expect(page(load("const { id } = await params"))).toBe("load()");
    expect(page(load("const id = await orders()"))).toMatch(/^✗/);
    const withCallback = `async function load(first) { await first; await auth.protect(); }
       export default async () => { await load(orders()); return null; }`;
    expect(page(withCallback)).toMatch(/^✗/);
  });

  test.each([
    ['if (!user) redirect("/");', "const { user } = await auth();"],
    ["if (!session.user) return <p>Sign in</p>;", "const session = await auth();"],
    ["if (user === null) { notFound(); }", "const { user } = await auth();"],
    ['if (!user?.email || Math.random() > 2) throw new Error("no");', "const user = (await auth()).user;"],
  ])("by auth() and %s", (end, declaration) => {
    const text = `import { notFound, redirect } from "next/navigation";
      export default async () => { ${declaration} ${end} return <p>{await orders()}</p>; }`;
    expect(page(text)).toBe("auth()");
  });

  test("by a layout it is not: Next does not run that again", () => {
    const files = {
      "app/orders/page.tsx": `${IMPORT}export default async () => <p>{await orders()}</p>;`,
      "app/orders/layout.tsx": `${IMPORT}export default async ({ children }) => { await auth.protect(); return children; };`,
    };
    expect(check(files).map((entry) => `${entry.name} ${saidOf(entry)}`)).toEqual([
      "layout auth.protect()",
      "page ✗ none",
    ]);
  });
});

describe("PK-42 a check that does not count has a finding of its own", () => {
  test.each([
    ["none", "none", "return <p>{await orders()}</p>;"],
    ["without await", "not_awaited", "auth.protect(); return <p>{await orders()}</p>;"],
    ["with void", "not_awaited", "void auth.protect(); return null;"],
    [
      "kept for later",
      "not_awaited",
      "const pending = auth.protect(); const all = await orders(); await pending; return null;",
    ],
    ["beside the data", "not_awaited", "const [, all] = await Promise.all([auth.protect(), orders()]); return null;"],
    ["after the data is read", "late", "const all = await orders(); await auth.protect(); return <p>{all}</p>;"],
    ["after a call that might change something", "late", "orders(); await auth.protect(); return null;"],
    ["after an assignment", "late", "globalThis.seen = 1; await auth.protect(); return null;"],
    ["with the data as its argument", "late", "await auth.protect(await orders()); return null;"],
    ["behind an early return", "late", "if (1 > 0) return <p>{await orders()}</p>; await auth.protect(); return null;"],
    [
      "in the second operand of a condition",
      "conditional",
      "if (orders.length > 0 && (await auth.protect()).user) return null; return null;",
    ],
    ["in the second value that it returns", "late", "return { all: await orders(), of: await auth.protect() };"],
    ["in a branch of ?:", "conditional", "return orders.length ? await auth.protect() : null;"],
    ["if (false)", "conditional", "if (false) await auth.protect(); return null;"],
    ["&&", "conditional", "orders.length > 9 && (await auth.protect()); return null;"],
    ["in a loop", "conditional", "for (const one of []) await auth.protect(); return null;"],
    ["in a label", "conditional", "out: { break out; await auth.protect(); } return null;"],
    ["in try", "in_try", "try { await auth.protect(); } catch {} return <p>{await orders()}</p>;"],
    [
      "in a function that nobody calls",
      "nested",
      "async function guard() { await auth.protect(); } return <p>{await orders()}</p>;",
    ],
    ["in a callback", "nested", "[].map(async () => { await auth.protect(); }); return null;"],
    ["auth() alone", "undecided", "const { user } = await auth(); return <p>{user?.name}{await orders()}</p>;"],
    [
      "auth() after the data",
      "undecided",
      "const { user } = await auth(); const all = await orders(); if (!user) return null; return all;",
    ],
    [
      "a condition that holds for nobody",
      "undecided",
      "const { user } = await auth(); if (user) return null; return <p>{await orders()}</p>;",
    ],
    [
      "a condition with &&",
      "undecided",
      "const { user } = await auth(); if (!user && false) return null; return orders;",
    ],
    [
      "an end that shows the data",
      "undecided",
      "const { user } = await auth(); if (!user) return <p>{await orders()}</p>; return null;",
    ],
    [
      "an end that shows a component",
      "undecided",
      "const { user } = await auth(); if (!user) return <Orders />; return null; async function Orders() { return <p>{await orders()}</p>; }",
    ],
    [
      "an if that does not end",
      "undecided",
      "const { user } = await auth(); if (!user) console.log(1); return <p>{await orders()}</p>;",
    ],
    [
      "the object, which is true for everybody",
      "always_true",
      "const session = await auth(); if (!session) return null; return <p>{await orders()}</p>;",
    ],
  ])("%s", (_, code, body) => expect(page(`export default async function P() { ${body} }`)).toBe(`✗ ${code}`));

  test("a default of a parameter runs before it", () => {
    expect(page("export default async function P({ all = orders() }) { await auth.protect(); return all; }")).toBe(
      "✗ late",
    );
  });

  test("a generator runs nothing until somebody asks it", () => {
    expect(page("export default async function* P() { await auth.protect(); }")).toMatch(/^✗/);
  });
});

describe("PK-42 what cannot be followed counts as unchecked", () => {
  const BODY = "export default async function P() { await auth.protect(); return null; }";
  test.each([
    ["auth of another library", `import { auth } from "next-auth";\n${BODY}`],
    ["auth that nothing declares", BODY],
    ["a local auth", `const auth = { protect() {} };\n${BODY}`],
    [
      "an auth that can be replaced",
      `import { gatehouse } from "@gatehouse/sdk/next";\nlet { auth } = gatehouse();\n${BODY}`,
    ],
    ["gatehouse of another library", `import { gatehouse } from "./fake";\nconst { auth } = gatehouse();\n${BODY}`],
  ])("%s", (_, text) => {
    const fake = { "app/orders/fake.ts": "export const gatehouse = () => ({ auth: { protect() {} } });" };
    expect(saidOf(check({ "app/orders/page.tsx": text, ...fake })[0])).toMatch(/^✗ (none|unknown)$/);
  });

  test("auth that a parameter or a block hides", () => {
    expect(page("export default async function P({ auth }) { await auth.protect(); return null; }")).toBe("✗ none");
    expect(
      page("export default async function P() { const auth = { protect() {} }; await auth.protect(); return null; }"),
    ).toBe("✗ none");
  });

  test("a page within a component that is not read, or that reads data itself", () => {
    expect(page('import { withUser } from "somewhere";\nexport default withUser(() => null);')).toBe("✗ unknown");
    expect(
      page(`export default () => <><Account /><Orders /></>;
      async function Account() { await auth.protect(); return null; }
      async function Orders() { return <p>{await orders()}</p>; }`),
    ).toBe("✗ unknown");
    expect(
      page(`import dynamic from "next/dynamic";
      const Orders = dynamic(() => import("./orders"));
      export default () => <><Account /><Orders /></>;
      async function Account() { await auth.protect(); return null; }`),
    ).toBe("✗ unknown");
  });

  test("a page that runs in the browser", () => {
    const text = '"use client";\nexport default function P() { return null; }';
    expect(saidOf(check({ "app/orders/page.tsx": text })[0])).toBe("✗ client");
  });

  test("functions that call each other without end", () => {
    expect(
      page(
        "const a = async () => { await b(); };\nconst b = async () => { await a(); };\nexport default async () => { await a(); return null; }",
      ),
    ).toMatch(/^✗/);
    expect(page("const A = () => <B />;\nconst B = () => <A />;\nexport default A;")).toMatch(/^✗/);
    expect(page("const f = (n) => f(n);\nexport default () => <p>{f(1)}</p>;")).toMatch(/^✗/);
    expect(page('export { default } from "./page";')).toMatch(/^✗/);
  });
});

describe("PK-42 handlers", () => {
  test("each method is listed, however it is exported", () => {
    const text = `export const GET = auth.protect({ scope: "orders" }, async () => Response.json(await orders()));
      export async function POST(request: Request) { await auth.protect(); return Response.json(await request.json()); }
      const both = async () => Response.json(await orders());
      export { both as PUT, both as DELETE };
      export { GET as HEAD } from "./shared";
      export const dynamic = "force-dynamic";`;
    const shared = {
      "app/api/orders/shared.ts": `${IMPORT}export const GET = async () => { await auth.protect(); return new Response(); };`,
    };
    expect(handler(text, shared)).toEqual([
      "GET auth.protect(…)",
      "POST auth.protect()",
      "PUT ✗ none",
      "DELETE ✗ none",
      "HEAD auth.protect()",
    ]);
  });

  test("a function of the product that wraps them, if it checks before it calls them", () => {
    const wrapper = (body: string) => ({
      "lib/with-user.ts": `import { auth } from "@/auth";\nexport function withUser(handler) { ${body} }`,
    });
    const text =
      'import { withUser } from "@/lib/with-user";\nexport const GET = withUser(async () => Response.json(await orders()));';
    expect(
      handler(
        text,
        wrapper("return async (request, context) => { await auth.protect(); return handler(request, context); };"),
      ),
    ).toEqual(["GET withUser(…)"]);
    expect(handler(text, wrapper("return auth.protect({}, handler);"))).toEqual(["GET withUser(…)"]);
    expect(
      handler(
        text,
        wrapper(
          "return async (request) => { const response = await handler(request); await auth.protect(); return response; };",
        ),
      ),
    ).toEqual(["GET ✗ unknown"]);
    expect(handler(text, wrapper("handler(); return auth.protect({}, handler);"))).toEqual(["GET ✗ unknown"]);
    expect(handler(text, wrapper("return handler;"))).toEqual(["GET ✗ unknown"]);
  });

  test("protect around nothing, or called with a handler alone, guards nothing", () => {
    expect(handler("export const GET = auth.protect(async () => Response.json(await orders()));")).toEqual([
      "GET ✗ unknown",
    ]);
  });

  test("those of the SDK are its own check", () => {
    const files = {
      "app/auth/[...path]/route.ts":
        'import { handlers } from "../../../auth";\nexport const { GET, POST } = handlers;',
      "app/login/route.ts": 'import { handlers } from "@/auth";\nexport const GET = handlers.GET;',
    };
    expect(check(files).map(saidOf)).toEqual(Array(3).fill("handlers of the SDK"));
  });

  test("everything of a module that is not read", () => {
    expect(handler('export * from "some-library";')).toEqual(["* ✗ unknown"]);
  });
});

describe("PK-42 Server Actions", () => {
  test("all that a module with the directive exports", () => {
    const text = `export async function save() { await auth.protect(); await orders(); }
      export const remove = async () => { await orders(); };
      async function rename() { auth.protect(); await orders(); }
      export { rename };
      async function internal() {}
      export type Order = { id: string };`;
    expect(action(text)).toEqual(["save auth.protect()", "remove ✗ none", "rename ✗ not_awaited"]);
  });

  test("inline ones, also in a page that is checked or public: they are called on their own", () => {
    const text = `export default async function P() {
        await auth.protect();
        async function remove(form: FormData) { "use server"; await orders(form.get("id")); }
        return <form action={remove}><button formAction={async (form) => { "use server"; const id = form.get("id"); await auth.protect(); }} /></form>;
      }`;
    const all = check({ "app/page.tsx": IMPORT + text });
    expect(all.map((entry) => `${entry.name} ${saidOf(entry)}`)).toEqual([
      "page auth.protect()",
      "remove ✗ none",
      "anonymous auth.protect()",
    ]);
  });

  test("a page is not checked by its Action", () => {
    const text = `export default async function P() {
        async function save() { "use server"; await auth.protect(); }
        return <form action={save} />;
      }`;
    expect(page(text)).toBe("✗ none");
  });

  test("those for everybody are named, and a name that has gone is an error", () => {
    const files = { "app/actions.ts": '"use server";\nexport async function subscribe() {}' };
    expect(check(files, ["app/actions.ts#subscribe"]).map(saidOf)).toEqual(["public app/actions.ts#subscribe"]);
    expect(() => check(files, ["app/actions.ts#subscribed"])).toThrow(
      /not the name of one .*app\/actions.ts#subscribe"/,
    );
  });
});

test("PK-42 no name stands for two Server Actions, or for one without a name", () => {
  const files = {
    "app/page.tsx": `export default () => <form action={async () => { "use server"; }} />;`,
    "app/forms.tsx": `export const A = () => { async function save() { "use server"; } return <form action={save} />; };
      export const B = () => { async function save() { "use server"; } return <form action={save} />; };`,
  };
  for (const name of ["app/page.tsx#anonymous", "app/forms.tsx#save"])
    expect(() => check(files, [name])).toThrow(/not the name of one/);
});

describe("PK-42 public routes", () => {
  const PAGE = "export default async () => null;";
  const publicOf = (file: string, patterns: string, more: Record<string, string> = {}) =>
    saidOf(check({ [file]: PAGE, "proxy.ts": `import { proxy } from "./auth";\n${patterns}`, ...more })[0]);
  const listing = (...patterns: string[]) => `export default proxy({ public: ${JSON.stringify(patterns)} });`;

  test.each([
    ["app/page.tsx", "/", true],
    ["app/(shop)/about/page.tsx", "/About", true],
    ["app/@side/about/page.tsx", "/about", true],
    ["app/blog/[slug]/page.tsx", "/blog/:slug", true],
    ["app/blog/[slug]/page.tsx", "/blog(.*)", true],
    ["app/blog/[slug]/page.tsx", "/blog", false],
    ["app/blog/[slug]/page.tsx", "/blog/hello", false],
    ["app/docs/[...path]/page.tsx", "/docs/:path", false],
    ["app/docs/[...path]/page.tsx", "/docs/:path+", true],
    ["app/docs/[[...path]]/page.tsx", "/docs/:path+", false],
    ["app/docs/[[...path]]/page.tsx", "/docs(.*)", true],
    ["app/(..)about/page.tsx", "/about", true],
    ["app/feed/(.)photo/page.tsx", "/feed/photo", true],
    ["app/feed/(..)photo/page.tsx", "/photo", true],
    ["app/feed/new/(...)photo/page.tsx", "/photo", true],
    ["app/%5Fnext/page.tsx", "/_next", true],
    ["app/about/team/page.tsx", "/about", false],
  ])("%s by %s: %s", (file, pattern, isPublic) => {
    expect(publicOf(file, listing(pattern))).toBe(isPublic ? `public ${pattern}` : "✗ none");
  });

  test("through names, spreads and imports; what is computed does not count", () => {
    const more = { "routes.ts": 'export const OPEN = ["/about"] as const;' };
    expect(
      publicOf(
        "app/about/page.tsx",
        'import { OPEN } from "./routes";\nconst all = [...OPEN, "/"];\nexport default proxy({ public: all });',
        more,
      ),
    ).toBe("public /about");
    expect(publicOf("app/about/page.tsx", 'export default proxy({ public: ["/", "/" + "about"] });')).toBe("✗ none");
  });

  test("of a proxy that is not ours, or of two, none", () => {
    expect(
      publicOf(
        "app/about/page.tsx",
        'import { proxy as other } from "x";\nexport default other({ public: ["/about"] });',
      ),
    ).toBe("✗ none");
    expect(publicOf("app/about/page.tsx", `const unused = proxy({ public: ["/about"] });\n${listing("/")}`)).toBe(
      "✗ none",
    );
  });

  test("by the command line, for the other shapes of the proxy", () => {
    const files = {
      "app/about/page.tsx": PAGE,
      "proxy.ts": 'import { proxy } from "./auth";\nexport default proxy({ protect: ["/account(.*)"] });',
    };
    expect(check(files).map(saidOf)).toEqual(["✗ none"]);
    expect(check(files, ["/about"]).map(saidOf)).toEqual(["public /about"]);
  });
});

describe("PK-42 what is listed", () => {
  test("all of the example for Next with tRPC, which leaves nothing open", () => {
    const { entries, proxy, notes } = checkProduct(join(import.meta.dirname, "../../../../examples/nextjs-trpc"));
    expect([proxy, notes]).toEqual(["proxy.ts", []]);
    expect(new Set(entries.map(({ kind }) => kind))).toEqual(new Set(["page", "handler", "action"]));
    expect(entries.filter(({ problem }) => problem)).toEqual([]);
  });

  test("routes in src, private folders and other files not; layouts and metadata if they do something", () => {
    const files = {
      "src/app/layout.tsx":
        'import { Geist } from "next/font/google";\nconst font = Geist();\nexport default ({ children }) => <html className={font.className}><body>{children}</body></html>;',
      "src/app/news/layout.tsx": `${IMPORT}export default async ({ children }) => <main>{await orders()}{children}</main>;`,
      "src/app/news/page.tsx": `${IMPORT}export async function generateMetadata() { return { title: await orders() }; }\nexport default async () => { await auth.protect(); return null; };`,
      "src/app/news/opengraph-image.tsx": `${IMPORT}export default async () => new Response(await orders());`,
      "src/app/robots.ts": "export default () => ({ rules: [] });",
      "src/app/_parts/page.tsx": "export default async () => null;",
      "src/app/helper.ts": "export const x = 1;",
      "src/app/news/@side/default.tsx": "export default () => null;",
      "tsconfig.json": '{ "extends": "./tsconfig.base.json" }',
      "tsconfig.base.json": '{ "compilerOptions": { "baseUrl": ".", "paths": { "@/*": ["./*"] } } }',
    };
    expect(check(files).map((entry) => `${entry.route} ${entry.name} ${saidOf(entry)}`)).toEqual([
      "/news layout ✗ none",
      "/news generateMetadata ✗ none",
      "/news page auth.protect()",
      "/news/opengraph-image opengraph-image ✗ none",
    ]);
  });

  test("JavaScript, and the extensions that next.config names", () => {
    const files = {
      "app/orders/page.view.jsx":
        'import { auth } from "../../auth";\nexport default async () => { await auth.protect(); return null; };',
      "app/orders/page.mdx": "# Hello",
      "next.config.ts": 'export default { pageExtensions: ["view.jsx", "mdx"] };',
    };
    expect(check(files).map(saidOf).toSorted()).toEqual(["auth.protect()", "✗ unknown"]);
    expect(() => check({ ...files, "next.config.ts": "export default { pageExtensions: names };" })).toThrow(
      /write the values of pageExtensions/,
    );
  });

  test("the Pages Router, which nothing here reads", () => {
    const files = {
      "app/page.tsx": "export default () => null;",
      "pages/_app.tsx": "",
      "pages/api/orders.ts": "",
      "pages/about.tsx": "",
    };
    expect(check(files).map((entry) => `${entry.route} ${saidOf(entry)}`)).toEqual([
      "/ public /",
      "/about public /about",
      "/api/orders ✗ pages_router",
    ]);
  });

  test("a folder without the App Router, and a module that is no code, are errors", () => {
    expect(() => checkProduct(projectWith({ "package.json": {} }))).toThrow(/no folder app or src\/app/);
    expect(() => check({ "app/page.tsx": "export default (" })).toThrow(/app\/page.tsx: .*\(1:16\)/);
  });
});
