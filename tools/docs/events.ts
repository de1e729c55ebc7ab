// Writes the event page from the catalogue; with --check it fails when the page is stale. The page is docs/events.md unless a
// path is given.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { eventCatalogue, type CatalogueEntry } from '@shortlist/contracts/events/catalogue';

const PAGE = join(import.meta.dirname, '../../docs/events.md');

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { check: { type: 'boolean', default: false } },
});
const [page = PAGE] = positionals;

type Described = { flags?: { presence?: string }; allow?: unknown[]; keys?: Fields };
type Fields = Record<string, Described>;

/** `?` marks a field that may be missing or null. */
const nameOf = (name: string, { allow = [], flags = {} }: Described): string =>
  `\`${name}${flags.presence === 'required' && !allow.includes(null) ? '' : '?'}\``;

/** Objects in the data of events by name, described once below the list. */
const objects = new Map<string, string>();

const describeFields = (fields: Fields = {}): string =>
  Object.entries(fields)
    .map(([name, field]) => {
      if (field.keys) objects.set(name, describeFields(field.keys));
      return nameOf(name, field);
    })
    .join(', ');

/** The first event with the same data, which the others refer to. */
const firstWith = new Map<string, string>();

const dataOf = (type: string, fields: string): string => {
  if (fields === '') return '';
  const first = firstWith.get(fields) ?? type;
  firstWith.set(fields, first);
  return first === type || fields.length < first.length ? ` (${fields})` : ` (as \`${first}\`)`;
};

const line = ({ event, consumedBy }: CatalogueEntry): string => {
  const { keys } = event.schema.describe() as Described;
  const consumers = consumedBy.length > 0 ? ` → ${consumedBy.join(', ')}` : '';
  return `- \`${event.type}\`${dataOf(event.type, describeFields(keys))}${consumers}: ${event.summary}`;
};

const lines = eventCatalogue.map(line).join('\n');

const text = `# Events

\`make docs\` writes this page from \`services/contracts/src/events\`, whose schemas have the types. Each event is a CloudEvent on the topic
\`<emitter>.events\`, keyed by its subject, a user id. Its data follow in parentheses (\`?\` for what may be missing or null), then its
consumers. Times are ISO 8601 in UTC, amounts in minor units.

${lines}

Objects:

${Array.from(objects, ([name, fields]) => `- \`${name}\`: ${fields}`).join('\n')}
`;

const read = (): string => {
  try {
    return readFileSync(page, 'utf8');
  } catch {
    return '';
  }
};

if (!values.check) writeFileSync(page, text);
else if (read() !== text) {
  process.stderr.write(`${page} is stale: run \`make docs\`\n`);
  process.exitCode = 1;
}
