// Writes docs/metrics.md from the declarations of the metrics; with --check it fails when the page is stale.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Metric, readMetrics } from '../../harness/declared-metrics.ts';

const PAGE = join(import.meta.dirname, '../../docs/metrics.md');

const HEAD = `# Metrics

\`make docs\` writes this page from the declarations (\`declared-metrics.ts\` of kit, \`metrics.ts\` of bff and each service). Every process
serves Prometheus text on its operator port (\`OPS_PORT\`, path \`/metrics\`), with the label \`service\` and prom-client's defaults.
Replicas report the same value of a table, queue or consumer group, read at most every 25 s if it is costly: use \`max\`, not \`sum\`.

`;

const lineOf = ({ name, type, labels, help }: Metric): string =>
  `- \`${name}\` (${[type, ...labels.map((label) => `\`${label}\``)].join(', ')}): ${help}`;

if (import.meta.main) {
  const byProcess = Object.entries(Object.groupBy(await readMetrics(), ({ processes }) => processes));
  const sections = byProcess.map(
    ([processes, metrics = []]) => `## ${processes}\n\n${metrics.map(lineOf).join('\n')}\n`,
  );
  const text = `${HEAD}${sections.join('\n')}`;
  if (!process.argv.includes('--check')) writeFileSync(PAGE, text);
  else if (readFileSync(PAGE, 'utf8') !== text) {
    process.stderr.write('docs/metrics.md is stale: run `make docs`\n');
    process.exitCode = 1;
  }
}
