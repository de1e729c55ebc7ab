// Writes deploy/k8s/README.md, the table of the chart's values, from values.yaml with its comments; with --check it fails when the
// page is stale.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMap, isScalar, type Pair, parseDocument, type YAMLMap } from 'yaml';

const CHART = join(import.meta.dirname, '../../deploy/k8s');
const PAGE = join(CHART, 'README.md');

const HEAD = `# Values of the chart

Generated from values.yaml by \`make docs\`; edit it there. [docs/kubernetes.md](../../docs/kubernetes.md) describes the installation.

| value | default | meaning |
| --- | --- | --- |
`;

type Entry = { key: unknown; value: unknown };
type Row = { path: string; value: string; meaning: string };

const oneLine = (comment: string): string =>
  comment.replace(/\s+/g, ' ').trim().replaceAll('|', '\\|').replaceAll('<', '&lt;');

const commentOf = (map: YAMLMap, index: number, key: unknown): string => {
  const above = isScalar(key) ? (key.commentBefore ?? '') : '';
  // The comment above the first entry of a map belongs to the map.
  return oneLine(above === '' && index === 0 ? (map.commentBefore ?? '') : above);
};

/** A map whose entries have comments, or are maps, is described entry by entry; any other value is one row. */
const rowsOf = (map: YAMLMap, prefix: string): Row[] =>
  map.items.flatMap((pair: Pair, index) => {
    const { key, value } = pair as Entry;
    const path = `${prefix}${String(isScalar(key) ? key.value : key)}`;
    const meaning = commentOf(map, index, key);
    if (isMap(value) && value.items.length > 0 && value.flow !== true)
      return [...(meaning === '' ? [] : [{ path, value: '', meaning }]), ...rowsOf(value, `${path}.`)];
    const json = JSON.stringify(isMap(value) || isScalar(value) ? value.toJSON() : value);
    return [{ path, value: json, meaning }];
  });

const render = (): string => {
  const document = parseDocument(readFileSync(join(CHART, 'values.yaml'), 'utf8'));
  if (!isMap(document.contents)) throw new Error('values.yaml is no map');
  const lines = rowsOf(document.contents, '').map(
    ({ path, value, meaning }) => `| \`${path}\` | ${value === '' ? '' : `\`${value}\``} | ${meaning} |`,
  );
  return `${HEAD}${lines.join('\n')}\n`;
};

const text = render();
if (!process.argv.includes('--check')) writeFileSync(PAGE, text);
else if (readFileSync(PAGE, 'utf8') !== text) {
  process.stderr.write('deploy/k8s/README.md is stale: run `make docs`\n');
  process.exitCode = 1;
}
