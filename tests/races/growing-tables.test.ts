import { readFileSync } from 'node:fs';
import { schema as billing } from '@shortlist/billing/db';
import { schema as credits } from '@shortlist/credits/db';
import { schema as identity } from '@shortlist/identity/db';
import { createTestDb } from '@shortlist/kit/testing/databases';
import { schema as profile } from '@shortlist/profile/db';
import { schema as worker } from '@shortlist/worker/db';
import { expect, it } from 'vitest';

const PAGE = new URL('../../docs/reliability.md', import.meta.url);
const SECTION = /^## What requests can grow$([\s\S]*?)^## /m;

/** The tables that the page names, as `service.table` or `*.table`, each in a line with a bound and what removes its rows. */
const listed = new Set(
  (SECTION.exec(readFileSync(PAGE, 'utf8'))?.[1] ?? '')
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter(([, , bound, removed]) => bound !== undefined && bound !== '' && removed !== '')
    .flatMap(([, names = '']) => [...names.matchAll(/`([*\w]+\.\w+)`/g)].map(([, name = '']) => name)),
);

it.each(Object.entries({ identity, profile, billing, credits, worker }))(
  'the list of what requests can grow has every table of %s, and what bounds it',
  async (service, schema) => {
    const { db, drop } = await createTestDb(schema);
    const rows = await db.query<{ name: string }[]>(
      "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE() AND table_type = 'BASE TABLE'",
    );
    await drop();
    const tables = rows.map(({ name }) => name);
    expect(tables.filter((name) => !listed.has(`${service}.${name}`) && !listed.has(`*.${name}`))).toEqual(
      [],
    );
    const ofService = [...listed].filter((name) => name.startsWith(`${service}.`));
    expect(ofService.filter((name) => !tables.includes(name.slice(service.length + 1)))).toEqual([]);
  },
);
