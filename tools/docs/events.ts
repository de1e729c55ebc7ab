import { eventCatalogue, type CatalogueEntry } from '@shortlist/contracts/events/catalogue';
import { topicOf } from '@shortlist/contracts/events/define';

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
  const topic = event.topic === topicOf(event.emitter) ? '' : ` on \`${event.topic}\``;
  return `- \`${event.type}\`${dataOf(event.type, describeFields(keys))}${topic} → ${consumedBy.join(', ')}: ${event.summary}`;
};

const lines = eventCatalogue.map(line).join('\n');

/** The page of all events, from their catalogue. */
export const eventsPage = `# Events

\`make docs\` writes this page from \`packages/contracts/src/events\`, whose schemas have the types. Each event is a CloudEvent on the topic
\`<emitter>.events\` or the one that is named, keyed by its subject, a user id. Its data follow in parentheses (\`?\` for what may be
missing or null), then its consumers. Times are ISO 8601 in UTC, amounts in minor units.

${lines}

Objects:

${Array.from(objects, ([name, fields]) => `- \`${name}\`: ${fields}`).join('\n')}
`;
