import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parseAllDocuments } from 'yaml';
import { findProgram } from './find-program.ts';

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

const REQUIRED = {
  'settings.PUBLIC_URL': 'https://people.test',
  'settings.KAFKA_BROKERS': '127.0.0.1:9',
  'settings.MAIL_FROM': 'hello@people.test',
  'ingress.host': 'people.test',
};

const helm = async (args: string[]): Promise<string> => {
  const program = findProgram('helm', 'helm.sh/helm/v3/cmd/helm@v3.18.6');
  const options = { maxBuffer: 16 * 1024 * 1024 };
  const { stdout } = await promisify(execFile)(program, [...args, '--kube-version', KUBERNETES], options);
  return stdout;
};

const template = (values: string[]): Promise<string> => helm(['template', 'one', CHART, ...values]);

const setting = (values: Record<string, string>): string[] =>
  Object.entries({ ...REQUIRED, ...values }).flatMap(([name, value]) => ['--set', `${name}=${value}`]);

/** Returns the manifests that helm renders from the defaults, the settings without one, and `values`. */
export const renderManifests = (values: Record<string, string> = {}): Promise<string> =>
  template(setting(values));

const valuesFile = (file: string): string[] => ['--values', join(import.meta.dirname, file)];

/** Like `renderManifests`, with the values of a file of this folder alone. */
export const renderFile = (file: string): Promise<string> => template(valuesFile(file));

/** Returns the report of `helm lint` with these values or those of a file, warnings taken for errors. Rejects with the report of an error. */
export const lintChart = (values: Record<string, string> | string): Promise<string> =>
  helm(['lint', CHART, '--strict', ...(typeof values === 'string' ? valuesFile(values) : setting(values))]);

export const resourcesOf = (manifests: string): Resource[] =>
  parseAllDocuments(manifests)
    .map((document) => document.toJS() as Resource | null)
    .filter((resource) => resource !== null);

/** Like `renderManifests`, and returns the resources. */
export const renderChart = async (values?: Record<string, string>): Promise<Resource[]> =>
  resourcesOf(await renderManifests(values));

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
