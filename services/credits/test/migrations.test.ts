import { compareEntities, createTestDb, migrateAgain } from '@shortlist/kit/testing/databases';
import { expect, it } from 'vitest';
import { contactKey } from '../src/contacts/contact-key.rules.ts';
import { schema } from '../src/db.ts';
import { contactKeys } from '../src/migrations.ts';

it('J3 each migration can run again over its own result', async () => {
  const { once, again, ran } = await migrateAgain(schema);
  expect(ran).toBe(schema.migrations.length);
  expect(again).toEqual(once);
});

it('every table has an entity with all of its columns', async () => {
  const { tables, entities } = await compareEntities(schema);
  expect(entities).toEqual(tables);
});

it('a contact that was charged before contacts had keys has the key of its reference', async () => {
  const { db, drop } = await createTestDb(schema);
  const references = [
    'Ada@Engines.test',
    'https://www.linkedin.com/in/Ada-Lovelace/?trk=people',
    'LinkedIn.com/company/Engines',
    'linkedin.com/in/grace',
    'https://linkedin.com/in/GRACE',
    'LinkedIn.com/sales/lead/ACwAb',
  ];
  for (const reference of references)
    await db.query("INSERT INTO contacts VALUES (UUID(), 'email_found', ?, 'operation', NOW())", [reference]);
  const runner = db.createQueryRunner();
  await new contactKeys().up(runner);
  await runner.release();
  const rows = await db.query<{ reference: string }[]>('SELECT reference FROM contacts');
  await drop();
  const keys = references.map((reference) =>
    reference.includes('/sales/') ? reference : contactKey(reference),
  );
  expect(rows.map(({ reference }) => reference).toSorted()).toEqual(keys.toSorted());
});
