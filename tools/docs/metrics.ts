import { type Metric, readMetrics } from '../../harness/declared-metrics.ts';

const HEAD = `# Metrics

\`make docs\` writes this page from the declarations (\`declared-metrics.ts\` of kit, \`metrics.ts\` of bff and each service). Every process
serves Prometheus text on its operator port (\`OPS_PORT\`, path \`/metrics\`), with the label \`service\` and prom-client's defaults.
Replicas report the same value of a table, queue or consumer group, read at most every 25 s if it is costly: use \`max\`, not \`sum\`.

`;

const lineOf = ({ name, type, labels, help }: Metric): string =>
  `- \`${name}\` (${[type, ...labels.map((label) => `\`${label}\``)].join(', ')}): ${help}`;

const byProcess = Object.entries(Object.groupBy(await readMetrics(), ({ processes }) => processes));
const sections = byProcess.map(
  ([processes, metrics = []]) => `## ${processes}\n\n${metrics.map(lineOf).join('\n')}\n`,
);

/** The page of all metrics, from their declarations. */
export const metricsPage = `${HEAD}${sections.join('\n')}`;
