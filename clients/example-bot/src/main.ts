#!/usr/bin/env node
// Shows who the user is and what is left, charges a credit for a contact, and shows what was used. With the variables SHORTLIST_URL and
// SHORTLIST_KEY: node clients/example-bot/src/main.ts [charge <reference> | usage]
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
// A tool of your own imports it from '@shortlist/client'.
import { createClient, ShortlistError, type Storage } from '../../typescript/src/client.ts';

const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** Charges that wait for the server survive the end of this program. */
const inFiles = (folder: string): Storage => {
  const fileOf = (name: string): string => join(folder, `${name.replaceAll(/[^\w-]/g, '_')}.json`);
  return {
    get: (name) => readFile(fileOf(name), 'utf8').catch(() => null),
    set: (name, value) => writeFile(fileOf(name), value, { mode: 0o600 }),
  };
};

const { SHORTLIST_URL, SHORTLIST_KEY, SHORTLIST_FOLDER = tmpdir() } = process.env;
const shortlist = createClient({
  url: SHORTLIST_URL,
  key: SHORTLIST_KEY,
  storage: inFiles(SHORTLIST_FOLDER),
  onRefused: ({ charge, error }) => print(`The charge for ${charge.reference} was refused: ${error.title}`),
});

const showBalance = async (): Promise<void> => {
  const { plan, credits, isStale, receivedAt } = await shortlist.entitlements();
  print(
    `${credits.available} of ${credits.limit} credits are left (${plan})${isStale ? `, as of ${receivedAt}` : ''}`,
  );
};

const showUser = async (): Promise<void> => {
  const { firstName, lastName, email } = await shortlist.me();
  print(`${firstName} ${lastName} <${email}>`);
  await showBalance();
};

const charge = async (reference: string): Promise<void> => {
  await showBalance();
  const { sent } = await shortlist.flush();
  if (sent.length > 0) print(`${sent.length} charges that waited were sent`);
  const charged = await shortlist.charge({ reason: 'email_found', reference, whenOffline: 'queue' });
  print(
    charged.isQueued
      ? 'The charge waits for the server'
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
};
try {
  await (commands[command] ?? showUser)();
} catch (error) {
  if (!(error instanceof ShortlistError)) throw error;
  print(`${error.title} (${error.code})`);
  process.exitCode = 1;
}
