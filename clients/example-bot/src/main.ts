#!/usr/bin/env node
// Connects to the account of its user, shows what is left, charges a credit for a contact, and shows what was used. With the variables
// SHORTLIST_URL and SHORTLIST_CLIENT_ID: node clients/example-bot/src/main.ts [charge <reference> | usage | disconnect]
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { homedir, hostname } from 'node:os';
import { join } from 'node:path';
// An app of your own imports it from '@shortlist/client'.
import { createClient, createConnection, ShortlistError, type Storage } from '../../typescript/src/client.ts';

const { SHORTLIST_URL: url, SHORTLIST_CLIENT_ID: clientId, SHORTLIST_FOLDER } = process.env;
const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** The tokens, and charges that wait for the server, in files that only their user can read. */
const inFiles = (folder: string): Storage => {
  const fileOf = (name: string): string => join(folder, `${name.replaceAll(/[^\w-]/g, '_')}.json`);
  return {
    get: (name) => readFile(fileOf(name), 'utf8').catch(() => null),
    set: async (name, value) => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeFile(fileOf(name), value, { mode: 0o600 });
    },
  };
};

const storage = inFiles(SHORTLIST_FOLDER ?? join(homedir(), '.shortlist-bot'));
const connection = createConnection({ url, clientId, storage });
const shortlist = createClient({
  url,
  key: connection,
  storage,
  onRefused: ({ charge, error }) => print(`The charge for ${charge.reference} was refused: ${error.title}`),
});

const connect = (): Promise<void> =>
  connection.connectDevice({
    scopes: ['credits:read', 'credits:charge', 'profile:read'],
    deviceName: hostname(),
    onCode: ({ userCode, verificationUri }) => print(`Open ${verificationUri} and enter ${userCode}`),
  });

const showBalance = async (): Promise<void> => {
  const { plan, credits, isStale, receivedAt } = await shortlist.entitlements();
  const age = isStale ? `, as of ${receivedAt}` : '';
  print(`Credits left: ${credits.available} of ${credits.limit} (${plan})${age}`);
};

const showUser = async (): Promise<void> => {
  const { firstName, lastName, email } = await shortlist.me();
  print(`${firstName} ${lastName} <${email}>`);
  await showBalance();
};

const charge = async (reference: string): Promise<void> => {
  await showBalance();
  const { sent } = await shortlist.flush();
  if (sent.length > 0) print(`Waiting charges sent: ${sent.length}`);
  const charged = await shortlist.charge({ reason: 'email_found', reference, whenOffline: 'queue' });
  print(
    charged.isQueued
      ? 'The charge will be sent when the server can be reached'
      : `${charged.charged} charged, ${charged.available} left`,
  );
};

const showUsage = async (): Promise<void> => {
  for (const { day, reason, charged, returned } of await shortlist.usage())
    print(`${day}  ${reason}  ${charged} charged, ${returned} returned`);
};

const [command = 'who', reference = ''] = process.argv.slice(2);
const commands: Record<string, () => Promise<void>> = {
  who: showUser,
  charge: () => charge(reference),
  usage: showUsage,
  disconnect: () => connection.disconnect(),
};
try {
  if (command !== 'disconnect' && !(await connection.isConnected())) await connect();
  await (commands[command] ?? showUser)();
} catch (error) {
  if (!(error instanceof ShortlistError)) throw error;
  print(`${error.title} (${error.code})`);
  process.exitCode = 1;
}
