// The operator's command for apps that many people install. Each is an OAuth client without a secret.
import { readFile } from 'node:fs/promises';
import { type Scope, SCOPES } from '@shortlist/contracts/api/connected-apps';
import { inSeconds, minutes } from '@shortlist/contracts/durations';
import { type Db, inTransaction } from '@shortlist/kit/data/db';
import { SERVICE_CALLER } from '@shortlist/kit/http/service-token';
import {
  type Action,
  type Command,
  EXIT,
  type Invocation,
  JSON_OPTION,
  UsageError,
} from '@shortlist/operator/command';
import { withServiceDb } from '@shortlist/operator/service-db';
import { uuidv7 } from 'uuidv7';
import { readAdminConfig } from './config.ts';
import { schema } from './db.ts';
import { disableTool, enableTool, registerTool } from './tools/change-tool.ts';
import { listTools, type ToolRow } from './tools/queries.ts';
import { logoProblem, redirectProblem } from './tools/tool.rules.ts';

const TIMEOUT_SECONDS = inSeconds(minutes(10));
const NAME_MAX = 60;

const withDb = <T>({ env }: Invocation, work: (db: Db) => Promise<T>): Promise<T> =>
  withServiceDb({ url: readAdminConfig(env).DATABASE_URL, schema }, work);

const listOf = (text: unknown): string[] => (typeof text === 'string' ? text : '').split(',').filter(Boolean);

const scopesOf = (text: unknown): Scope[] => {
  const names = listOf(text);
  const unknown = names.find((name) => !SCOPES.some((scope) => scope === name));
  if (unknown !== undefined || names.length === 0)
    throw new UsageError(`--scopes takes some of ${SCOPES.join(',')}.`);
  return SCOPES.filter((scope) => names.includes(scope));
};

const redirectsOf = (text: unknown): string[] => {
  const addresses = listOf(text);
  for (const address of addresses) {
    const problem = redirectProblem(address);
    if (problem !== null) throw new UsageError(`${address} ${problem}.`);
  }
  return addresses;
};

const logoOf = async (path: unknown): Promise<string | null> => {
  if (typeof path !== 'string') return null;
  const file = await readFile(path);
  const problem = logoProblem(file);
  if (problem !== null) throw new UsageError(`${path} ${problem}.`);
  return `data:image/png;base64,${file.toString('base64')}`;
};

const nameOf = (text = ''): string => {
  const name = text.trim();
  if (name === '' || name.length > NAME_MAX)
    throw new UsageError(`The name has 1 to ${NAME_MAX} characters.`);
  return name;
};

const register: Action = {
  name: 'register',
  about: 'registers a tool and prints its client_id',
  words: ['name'],
  options: {
    scopes: { type: 'string', about: `what it may ask for: some of ${SCOPES.join(',')}` },
    redirects: {
      type: 'string',
      about: 'its addresses, separated by commas; none for a tool without a browser',
    },
    logo: { type: 'string', about: 'a PNG file' },
    verified: { type: 'boolean', about: 'we know who makes it' },
  },
  timeoutSeconds: TIMEOUT_SECONDS,
  run: async (invocation) => {
    const { words, options, clock, terminal } = invocation;
    const tool: ToolRow = {
      id: uuidv7(),
      name: nameOf(words[0]),
      logo: await logoOf(options['logo']),
      redirectUris: redirectsOf(options['redirects']),
      scopes: scopesOf(options['scopes']),
      isVerified: options['verified'] === true,
      createdAt: clock(),
      disabledAt: null,
      generation: 0,
    };
    await withDb(invocation, (db) => inTransaction(db, (tx) => registerTool(tx, tool, clock)));
    terminal.print(tool.id);
    return EXIT.done;
  },
};

const lineOf = ({ id, name, scopes, redirectUris, isVerified, disabledAt }: ToolRow): string =>
  [
    id,
    name,
    scopes.join(','),
    redirectUris.join(',') || '-',
    isVerified ? 'verified' : 'unverified',
    disabledAt === null ? 'enabled' : `disabled ${disabledAt.toISOString()}`,
  ].join('  ');

const list: Action = {
  name: 'list',
  about: 'lists the tools',
  words: [],
  options: JSON_OPTION,
  timeoutSeconds: TIMEOUT_SECONDS,
  run: async (invocation) => {
    const { options, terminal } = invocation;
    const tools = await withDb(invocation, (db) => listTools(db.manager));
    if (options['json'] === true) terminal.print(JSON.stringify(tools.map(({ logo: _, ...tool }) => tool)));
    else for (const tool of tools) terminal.print(lineOf(tool));
    return EXIT.done;
  },
};

const disable: Action = {
  name: 'disable',
  about: 'disables a tool and disconnects all its users',
  words: ['id'],
  options: {},
  timeoutSeconds: TIMEOUT_SECONDS,
  run: async (invocation) => {
    const { words, clock, terminal } = invocation;
    const [id = ''] = words;
    const change = { toolId: id, caller: SERVICE_CALLER, clock };
    const { users } = await withDb(invocation, (db) => inTransaction(db, (tx) => disableTool(tx, change)));
    terminal.print(`tool ${id} disabled, ${users} users disconnected`);
    return EXIT.done;
  },
};

const enable: Action = {
  name: 'enable',
  about: 'enables a tool again; its users connect it anew',
  words: ['id'],
  options: {},
  timeoutSeconds: TIMEOUT_SECONDS,
  run: async (invocation) => {
    const { words, clock, terminal } = invocation;
    const [id = ''] = words;
    const change = { toolId: id, caller: SERVICE_CALLER, clock };
    await withDb(invocation, (db) => inTransaction(db, (tx) => enableTool(tx, change)));
    terminal.print(`tool ${id} enabled`);
    return EXIT.done;
  },
};

export const toolCommand: Command = { actions: [register, list, disable, enable] };
