import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { parseAllDocuments } from 'yaml';

const CHART = join(import.meta.dirname, '../../deploy/k8s');
/** Rendering needs no cluster; this is the version that the chart is tried in. */
const KUBERNETES = '1.33.0';

type Variable = {
  name: string;
  value?: string;
  valueFrom?: { secretKeyRef: { name: string; key: string; optional?: boolean } };
};
export type Container = {
  name: string;
  image: string;
  command?: string[];
  env?: Variable[];
  envFrom?: { configMapRef?: { name: string }; secretRef?: { name: string } }[];
};
export type Resource = {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels?: Record<string, string>; annotations?: Record<string, string> };
  data?: Record<string, string>;
  stringData?: Record<string, string>;
  spec?: {
    template?: { spec: { containers: Container[] } };
    triggers?: { metadata: Record<string, string> }[];
  };
};

const findHelm = (): string => {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), join(homedir(), 'go/bin')];
  const found = folders.map((folder) => join(folder, 'helm')).find((path) => existsSync(path));
  if (found === undefined)
    throw new Error('helm is missing: install it, or run go install helm.sh/helm/v3/cmd/helm@v3.18.6');
  return found;
};

const REQUIRED = {
  'settings.PUBLIC_URL': 'https://people.test',
  'settings.KAFKA_BROKERS': '127.0.0.1:9',
  'settings.MAIL_FROM': 'hello@people.test',
  'ingress.host': 'people.test',
};

/** Returns the resources that helm renders from the defaults, the settings without one, and `values`. */
export const renderChart = async (values: Record<string, string> = {}): Promise<Resource[]> => {
  const settings = Object.entries({ ...REQUIRED, ...values }).flatMap(([name, value]) => [
    '--set',
    `${name}=${value}`,
  ]);
  const args = ['template', 'one', CHART, '--kube-version', KUBERNETES, ...settings];
  const { stdout } = await promisify(execFile)(findHelm(), args, { maxBuffer: 16 * 1024 * 1024 });
  return parseAllDocuments(stdout)
    .map((document) => document.toJS() as Resource | null)
    .filter((resource) => resource !== null);
};

/** The variables of a container as Kubernetes resolves them; `secretValue` returns what an operator put into a Secret, which lacks what is optional. */
export const environmentOf = (
  { env = [], envFrom = [] }: Container,
  resources: Resource[],
  secretValue: (secret: string, key: string) => string,
): Record<string, string> => {
  const maps = envFrom.map(({ configMapRef }) =>
    resources.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === configMapRef?.name),
  );
  const valueOf = ({ value, valueFrom }: Variable): string | undefined => {
    if (valueFrom === undefined) return value;
    const { name, key, optional = false } = valueFrom.secretKeyRef;
    return optional ? undefined : secretValue(name, key);
  };
  const direct = env.flatMap((variable) => {
    const value = valueOf(variable);
    return value === undefined ? [] : [[variable.name, value]];
  });
  return { ...Object.assign({}, ...maps.map((map) => map?.data)), ...Object.fromEntries(direct) } as Record<
    string,
    string
  >;
};

/** The containers of the product's Deployments. */
export const containersOf = (resources: Resource[]): Container[] =>
  resources
    .filter(({ kind }) => kind === 'Deployment')
    .flatMap(({ spec }) => spec?.template?.spec.containers ?? []);
