import { publicEndpoints } from '@shortlist/contracts/api/public';
import type { Audience, Guards, PublicEndpoint } from '@shortlist/contracts/api/operation';

const HEAD = `# Endpoints

\`make docs\` writes this page from \`packages/contracts/src/api\`. Paths without \`/api\` are also served under \`/api\`. Besides these there
are \`POST /api/webhooks/stripe\`, \`GET /profile_pictures/:name\`, the stream \`GET /api/live\`, and for everybody \`GET /api/v1/reference\`,
\`GET /api/v1/openapi.json\` and \`POST /unsubscribe\`, to which mail programs send one click.

- **recent**: requires a proof of the last ten minutes of who the caller is
- **viewing**: open to an admin who views the product as a user
- **set-up**: open to an admin who has to set up a second factor first
- **deletion**: open to a user whose account is about to be deleted, as is every endpoint for everybody
`;

const TITLES: Record<Audience, string> = {
  strangers: 'For everybody, without a session',
  everybody: 'For everybody',
  users: 'For users',
  sessions: 'For users and admins',
  admins: 'For admins with a permission',
  clients: 'For tools, with an API key',
};

/** Every endpoint has the cross-site check, but for those that the head of the page names. */
const GUARDS: Record<Exclude<keyof Guards, 'crossSiteCheck'>, string> = {
  recent: 'recent',
  whileViewing: 'viewing',
  beforeSecondFactor: 'set-up',
  duringDeletion: 'deletion',
};

type Endpoint = PublicEndpoint<never, unknown>;

const detailsOf = (endpoint: Endpoint): string => {
  const { permission } = endpoint;
  const permissions = permission === null || permission === 'own_account' ? [] : [permission];
  const guards = (Object.keys(GUARDS) as (keyof typeof GUARDS)[])
    .filter((name) => endpoint[name] === true)
    .map((name) => GUARDS[name]);
  return [...permissions, ...guards].join(', ');
};

const endpoints = Object.values(publicEndpoints) as Endpoint[];
const width = Math.max(...endpoints.map(({ path }) => path.length));

const line = (endpoint: Endpoint): string =>
  `${endpoint.path.padEnd(width)} ${endpoint.method.padEnd(6)} ${detailsOf(endpoint)}`.trimEnd();

const byAudience = Object.groupBy(endpoints, ({ to }) => to);
const sections = Object.entries(TITLES).flatMap(([to, title]) => {
  const lines = (byAudience[to as Audience] ?? []).map(line).toSorted();
  return lines.length === 0 ? [] : [`## ${title}\n\n\`\`\`\n${lines.join('\n')}\n\`\`\`\n`];
});

/** The page of the public API, from its declarations. */
export const endpointsPage = [HEAD, ...sections].join('\n');
