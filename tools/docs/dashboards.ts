// Writes the dashboards as the JSON that Grafana imports; with --check it fails when a file is stale.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Dashboard, DASHBOARDS, type Panel } from '../observability/dashboards.ts';

const FOLDER = join(import.meta.dirname, '../../deploy/k8s/observability/dashboards');
const DATASOURCE = { type: 'prometheus', uid: '${datasource}' };
const WIDTH = 12;
const HEIGHT = 8;

const panelOf = ({ title, description, unit, kind, queries }: Panel, index: number) => ({
  id: index + 1,
  ...{ type: kind, title, description, datasource: DATASOURCE },
  gridPos: { x: (index % 2) * WIDTH, y: Math.floor(index / 2) * HEIGHT, w: WIDTH, h: HEIGHT },
  fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
  options:
    kind === 'stat'
      ? {
          colorMode: 'none',
          graphMode: 'none',
          reduceOptions: { calcs: ['lastNotNull'] },
          textMode: 'value_and_name',
        }
      : { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi', sort: 'desc' } },
  targets: queries.map(([expr, legendFormat], position) => ({
    ...{ refId: String.fromCharCode(65 + position), datasource: DATASOURCE, expr, legendFormat },
  })),
});

const jsonOf = ({ uid, title, description, panels }: Dashboard): string =>
  `${JSON.stringify(
    {
      ...{ uid, title, description, tags: ['shortlist'], schemaVersion: 39, editable: false },
      ...{ refresh: '30s', time: { from: 'now-3h', to: 'now' }, timezone: 'browser' },
      templating: {
        list: [{ name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus' }],
      },
      panels: panels.map(panelOf),
    },
    null,
    2,
  )}\n`;

for (const dashboard of DASHBOARDS) {
  const file = join(FOLDER, `${dashboard.uid}.json`);
  if (!process.argv.includes('--check')) writeFileSync(file, jsonOf(dashboard));
  else if (readFileSync(file, 'utf8') !== jsonOf(dashboard)) {
    process.stderr.write(`${file} is stale: run \`make docs\`\n`);
    process.exitCode = 1;
  }
}
