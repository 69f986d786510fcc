// Who may import whom. `npm run lint` checks it; a failure names the import. Move the code, not the fence.

const SOURCE = "^(packages|apps|examples|e2e)/";
/** Tests and their fixtures may import what they test with. */
const TEST = "[.]test[.]tsx?$|[.]bench[.]ts$|/testing/";

/**
 * Each package with the workspace packages it may import, and the libraries it must not (`never`) or alone may
 * (`only`). In the folders of `frameworks` more are allowed. `types` may be imported as `import type` alone, and `tests` by tests alone. Node's own modules are allowed unless `node` is
 * false, and then in the folders `withNode`.
 */
const LAYERS = [
  { folder: "packages/runtime", workspace: [], only: ["dotenv"] },
  { folder: "packages/guard", workspace: [], only: ["jose"], node: false },
  { folder: "packages/auth", workspace: ["runtime", "guard"], only: ["jose"] },
  { folder: "packages/languages", workspace: [], only: [], node: false },
  {
    folder: "packages/sdk",
    workspace: ["guard"],
    tests: ["auth", "webhooks"],
    only: ["jose", "oauth4webapi"],
    // Each entry may import its framework as well. PK-10
    frameworks: { express: ["express"], hono: ["hono"], next: ["next"], react: ["react"], trpc: ["@trpc"] },
    node: false,
    withNode: ["express", "testing"],
  },
  {
    folder: "packages/accounts",
    workspace: ["runtime", "auth"],
    only: ["jose", "openid-client", "@simplewebauthn/server", "@node-rs/argon2", "@node-rs/bcrypt"],
  },
  { folder: "packages/webhooks", workspace: ["runtime"], only: [] },
  {
    folder: "packages/db",
    workspace: ["runtime", "auth", "accounts", "webhooks"],
    never: ["next", "react", "react-dom", "@trpc", "preact"],
  },
  {
    folder: "packages/work",
    workspace: ["runtime", "auth", "webhooks", "db"],
    never: ["next", "react", "react-dom", "@trpc", "drizzle-orm", "preact"],
  },
  {
    folder: "packages/mail",
    workspace: ["runtime", "auth", "accounts", "languages", "db", "work", "ui"],
    only: ["preact", "preact-render-to-string", "nodemailer"],
  },
  {
    folder: "packages/console",
    workspace: ["runtime", "auth", "accounts", "webhooks", "db", "work"],
    tests: ["sdk"],
    never: ["next", "react", "react-dom", "preact"],
  },
  {
    folder: "packages/installation",
    workspace: ["runtime", "auth", "accounts", "mail", "languages", "webhooks", "db", "work", "console", "product"],
    never: ["next", "react", "react-dom", "@trpc", "drizzle-orm", "preact"],
  },
  {
    folder: "packages/product",
    workspace: ["auth", "db", "console", "ui", "work"],
    never: ["next", "react", "react-dom", "preact"],
  },
  { folder: "packages/ui", workspace: [], never: ["next", "@trpc", "drizzle-orm"], node: false },
  {
    folder: "packages/cli",
    workspace: ["runtime", "auth", "accounts", "mail", "webhooks", "db", "console", "installation", "product", "sdk"],
    never: ["next", "react", "react-dom", "@trpc", "drizzle-orm", "preact"],
  },
  {
    folder: "packages/server",
    workspace: ["runtime", "guard", "auth", "console", "installation", "cli", "ui", "work"],
    never: ["next", "react", "react-dom", "@trpc", "drizzle-orm", "preact"],
  },
  {
    folder: "apps/web",
    workspace: [
      "runtime",
      "auth",
      "accounts",
      "mail",
      "languages",
      "webhooks",
      "db",
      "console",
      "installation",
      "ui",
      "product",
    ],
    never: ["drizzle-orm"],
  },
  {
    folder: "apps/admin",
    workspace: ["runtime", "guard", "sdk", "ui"],
    types: ["console"],
    // PK-15: the console signs in as products do, with the sdk alone.
    // A link of the tRPC client returns an observable, which its server's package has.
    never: [
      ...["jose", "oauth4webapi", "openid-client", "iron-session"],
      ...["drizzle-orm", "better-sqlite3", "pg", "@trpc/server(?!/dist/observable)"],
    ],
  },
];

/** Parts of packages for the server that the browser runs as well. */
const BROWSER = "^packages/console/src/lists/";

const anyOf = (names) => `(${names.join("|")})`;
const library = (names) => `node_modules/${anyOf(names)}/`;
const folders = (names) => `^(packages|apps)/${anyOf(names)}/`;

function fence({
  folder,
  workspace,
  types = [],
  tests = [],
  never = [],
  only,
  node = true,
  frameworks = {},
  withNode = [],
}) {
  const name = folder.replace("/", "-");
  const self = folder.split("/")[1];
  const below = (entries) => entries.map((entry) => `^${folder}/src/${entry}/`);
  const rules = [
    {
      name: `${name}-layer`,
      comment: `${folder} may import ${workspace.length > 0 ? workspace.join(", ") : "no package of the workspace"}.`,
      from: { path: `^${folder}/` },
      to: { path: "^(packages|apps|examples|e2e|bench)/", pathNot: folders([self, ...workspace, ...types, ...tests]) },
    },
  ];
  if (tests.length > 0) {
    rules.push({
      name: `${name}-tests`,
      comment: `Only tests of ${folder} may import ${tests.join(", ")}.`,
      from: { path: `^${folder}/`, pathNot: TEST },
      to: { path: folders(tests) },
    });
  }
  if (types.length > 0) {
    rules.push({
      name: `${name}-types`,
      comment: `${folder} may import only types of ${types.join(", ")}.`,
      from: { path: `^${folder}/` },
      to: { path: folders(types), pathNot: BROWSER, dependencyTypesNot: ["type-only"] },
    });
  }
  if (only) {
    rules.push({
      name: `${name}-libraries`,
      comment: `${folder} may import ${only.length > 0 ? only.join(", ") : "no library"}.`,
      from: { path: `^${folder}/src/`, pathNot: [TEST, ...below(Object.keys(frameworks))] },
      to: { path: "node_modules/", ...(only.length > 0 && { pathNot: library(only) }) },
    });
    for (const [entry, libraries] of Object.entries(frameworks)) {
      rules.push({
        name: `${name}-${entry}-libraries`,
        comment: `${folder}/src/${entry} may import ${[...only, ...libraries].join(", ")}.`,
        from: { path: `^${folder}/src/${entry}/`, pathNot: TEST },
        to: { path: "node_modules/", pathNot: [library([...only, ...libraries]), "node_modules/@types/"] },
      });
      rules.push({
        name: `${name}-${entry}-entry`,
        comment: `Only ${folder}/src/${entry} may import it: the other entries must work without its framework.`,
        from: { path: `^${folder}/src/`, pathNot: [TEST, `^${folder}/src/${entry}/`] },
        to: { path: `^${folder}/src/${entry}/` },
      });
    }
  }
  if (never.length > 0) {
    rules.push({
      name: `${name}-libraries`,
      comment: `${folder} must not import ${never.join(", ")}.`,
      from: { path: `^${folder}/`, pathNot: TEST },
      to: { path: library(never) },
    });
  }
  if (!node) {
    rules.push({
      name: `${name}-browser`,
      comment: `${folder} runs where Node's modules are missing.`,
      from: { path: `^${folder}/`, pathNot: [TEST, ...below(withNode)] },
      to: { dependencyTypes: ["core"] },
    });
  }
  return rules;
}

export default {
  forbidden: [
    ...LAYERS.flatMap(fence),
    {
      name: "console-queries",
      comment: "In packages/console, SQL is in `queries.ts` and `*-queries.ts`.",
      from: { path: "^packages/console/src/", pathNot: `queries[.]ts$|${TEST}` },
      to: { path: library(["drizzle-orm"]) },
    },
    {
      name: "console-lists-browser",
      comment: "The console's pages run packages/console/src/lists too.",
      from: { path: BROWSER, pathNot: TEST },
      to: { path: "^packages/", pathNot: `${BROWSER}|^packages/(auth|accounts|webhooks)/` },
    },
    {
      name: "console-lists-node",
      comment: "The console's pages run packages/console/src/lists too.",
      from: { path: BROWSER, pathNot: TEST },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "examples-layer",
      comment:
        "Examples show what any client or API can do, so they import no code of this repository but what is published.",
      from: { path: "^examples/" },
      to: { path: "^(packages|apps|e2e)/", pathNot: "^packages/(product/src/types[.]ts$|sdk/)" },
    },
    {
      name: "examples-types",
      comment: "A front end takes the router's type, and no code.",
      from: { path: "^examples/" },
      to: { path: "^packages/", pathNot: "^packages/sdk/", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "unlisted-layer",
      comment: "A new package needs a line in LAYERS.",
      from: { path: "^(packages|apps)/", pathNot: LAYERS.map(({ folder }) => `^${folder}/`) },
      to: {},
    },
    {
      name: "relative-escape",
      comment: "Another package is imported by its name, never by a relative path.",
      // gatehouse.mjs starts the build or the sources, as the scripts do.
      from: { path: "^((?:packages|apps|examples)/[^/]+)/", pathNot: "^packages/cli/gatehouse[.]mjs$" },
      to: { pathNot: "^$1/|node_modules/", dependencyTypes: ["local"] },
    },
    {
      name: "e2e-layer",
      comment: "The tests share with the scripts what makes the demo and the packages, and who has a port.",
      from: { path: "^e2e/" },
      to: { pathNot: "^(e2e|scripts/(demo|image|ops|pack|release|steps))/|node_modules/", dependencyTypes: ["local"] },
    },
    {
      name: "web-development",
      comment: "Nothing of development is in what ships.",
      from: { path: "^apps/web/", pathNot: "^apps/web/dev(/|[.]ts$)" },
      to: { path: "^apps/web/dev(/|[.]ts$)" },
    },
    {
      name: "unresolvable",
      comment: "There is no such module, or package.json does not list it.",
      from: {},
      to: { couldNotResolve: true, pathNot: "^[.]{1,2}/dist/" }, // built later
    },
    {
      name: "undeclared",
      comment: "A package imports only what its package.json lists.",
      from: { path: SOURCE },
      to: { dependencyTypes: ["npm-no-pkg", "npm-unknown"], dependencyTypesNot: ["npm-peer"] },
    },
    {
      name: "development-only",
      comment: "What ships stands in `dependencies`; `devDependencies` are for tests, types and the build.",
      from: { path: SOURCE, pathNot: `^e2e/|${TEST}|[.]config[.]ts$|/(build|common-passwords-file)[.]ts$` },
      to: { dependencyTypes: ["npm-dev"], dependencyTypesNot: ["type-only", "npm-peer"] },
    },
    {
      name: "views",
      comment: "A view of apps/web renders what it is given. The pages in server/ look things up.",
      from: { path: "^apps/web/views/" },
      to: { path: "^apps/web/(server|app)/" },
    },
    {
      name: "circular",
      comment: "Modules that need each other are one module, or one of them is in the wrong place. Types count too.",
      from: {},
      to: { circular: true },
    },
    {
      name: "auth-store-port",
      comment: "The store port knows what is stored, and nothing that uses it.",
      from: { path: "^packages/auth/src/store/", pathNot: TEST },
      to: { path: "^packages/auth/src/(deps|(tokens|grants/(?!table)|authorization|endpoints|guard|http|outbound)/)" },
    },
    {
      name: "auth-tokens",
      comment: "Endpoints know grants, and grants know tokens; never the other way round.",
      from: { path: "^packages/auth/src/(crypto|resources|tokens)/", pathNot: TEST },
      to: { path: "^packages/auth/src/(grants/(?!table)|authorization|endpoints|guard)/" },
    },
    {
      name: "auth-grants",
      comment: "Endpoints know grants; never the other way round.",
      from: { path: "^packages/auth/src/(grants|authorization|clients|sessions)/", pathNot: TEST },
      to: { path: "^packages/auth/src/endpoints/" },
    },
    {
      name: "folder-names",
      comment: "A folder is a noun that a reader would search for.",
      from: { path: "/(utils?|helpers?|common|lib|shared)/" },
      to: {},
    },
  ].map((rule) => ({ severity: "error", ...rule })),
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: {
      path: "^(packages|apps|examples)/[^/]+/([.]next|dist|public|migrations)/|^e2e/[.]products/|^packages/ui/([.]?quick-starts)/",
    },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: ".dependency-cruiser.tsconfig.json" }, // the import aliases, seen from the root
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "require", "node", "default", "types"],
      extensions: [".ts", ".tsx", ".mts", ".mjs", ".js", ".cjs", ".d.ts", ".json"],
      mainFields: ["module", "main", "types", "typings"],
    },
    skipAnalysisNotInRules: true,
  },
};
