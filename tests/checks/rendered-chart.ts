import { execFile } from 'node:child_process';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parseAllDocuments } from 'yaml';

const CHART = join(import.meta.dirname, '../../deploy/k8s');
/** Rendering needs no cluster; this is the version that the chart is tried in. */
const KUBERNETES = '1.33.0';
/** Also finds what Go has installed. */
export const ENVIRONMENT = { ...process.env, PATH: `${process.env.PATH}:${join(homedir(), 'go/bin')}` };

type Variable = {
  name: string;
  value?: string;
  valueFrom?: { secretKeyRef: { key: string; optional?: boolean } };
};
export type Container = {
  name: string;
  image: string;
  env?: Variable[];
  envFrom?: { configMapRef?: { name: string } }[];
};
type Resource = {
  kind: string;
  metadata: { name: string };
  data?: Record<string, string>;
  stringData?: Record<string, string>;
  spec?: {
    template?: { spec: { containers: Container[] } };
    triggers?: { metadata: Record<string, string> }[];
  };
};

/** Values by their paths, or a file of them in this folder. */
export type Values = Record<string, string> | string;

const REQUIRED = {
  'settings.PUBLIC_URL': 'https://people.test',
  'settings.KAFKA_BROKERS': '127.0.0.1:9',
  'settings.MAIL_FROM': 'hello@people.test',
  'ingress.host': 'people.test',
};

const optionsOf = (values: Values): string[] =>
  typeof values === 'string'
    ? ['--values', join(import.meta.dirname, values)]
    : Object.entries({ ...REQUIRED, ...values }).flatMap(([name, value]) => ['--set', `${name}=${value}`]);

const helm = async (args: string[], values: Values): Promise<string> => {
  const command = [...args, '--kube-version', KUBERNETES, ...optionsOf(values)];
  const options = { maxBuffer: 16 * 1024 * 1024, env: ENVIRONMENT };
  return (await promisify(execFile)('helm', command, options)).stdout;
};

/** Returns the manifests that helm renders from the defaults, the settings without one, and `values`. */
export const renderManifests = (values: Values = {}): Promise<string> =>
  helm(['template', 'one', CHART], values);

/** Returns the report of `helm lint`, warnings taken for errors. */
export const lintChart = (values: Values): Promise<string> => helm(['lint', CHART, '--strict'], values);

export const renderChart = async (values?: Values): Promise<Resource[]> =>
  parseAllDocuments(await renderManifests(values))
    .map((document) => document.toJS() as Resource | null)
    .filter((resource) => resource !== null);

export const KEY = 'k'.repeat(32);

/** Valid secrets of servers that are away: a process is live without them. */
export const secretOf = (key: string): string => {
  if (key === 'DATABASE_URL') return 'mysql://one:password@127.0.0.1:9/one';
  if (key.endsWith('_REDIS_URL')) return 'redis://127.0.0.1:9';
  return key.endsWith('_TOKEN_KEYS') ? `one:${KEY}` : KEY;
};

/** The variables of a container as Kubernetes resolves them. The Secrets lack what is optional. */
export const environmentOf = (
  { env = [], envFrom = [] }: Container,
  resources: Resource[],
): Record<string, string> => {
  const maps = envFrom.map(({ configMapRef }) =>
    resources.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === configMapRef?.name),
  );
  const direct = env
    .filter(({ valueFrom }) => valueFrom?.secretKeyRef.optional !== true)
    .map(({ name, value = '', valueFrom }) => [
      name,
      valueFrom ? secretOf(valueFrom.secretKeyRef.key) : value,
    ]);
  return Object.assign({}, ...maps.map((map) => map?.data), Object.fromEntries(direct)) as Record<
    string,
    string
  >;
};

/** The containers of the product's Deployments. */
export const containersOf = (resources: Resource[]): Container[] =>
  resources
    .filter(({ kind }) => kind === 'Deployment')
    .flatMap(({ spec }) => spec?.template?.spec.containers ?? []);
