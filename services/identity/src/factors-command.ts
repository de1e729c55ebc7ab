// The operator's command after a new FACTOR_KEY: nothing else encrypts again what an older key has encrypted.
import { inSeconds, minutes } from '@shortlist/contracts/durations';
import { type Db, inTransaction, type Tx } from '@shortlist/kit/data/db';
import type { Clock } from '@shortlist/kit/process/clock';
import { loadConfig } from '@shortlist/kit/process/config';
import { type Action, type Command, EXIT } from '@shortlist/operator/command';
import { withServiceDb } from '@shortlist/operator/service-db';
import { variables } from './config.ts';
import { schema } from './db.ts';
import { createFactorKeys, type FactorKeys } from './factors/factor-keys.ts';
import { countCodesOfOtherKeys, listTotpOfOtherKeys, lockTotp, updateSecret } from './factors/queries.ts';
import { listWebhooksOfOtherKeys, lockWebhook, updateWebhook } from './webhooks/queries.ts';
import { resealedSecrets } from './webhooks/webhook-secrets.ts';

const PAGE = 500;

type Page = { keyId: string; after: string; limit: number };

/** Changes each listed row in a transaction of its own, so that no user waits. Returns how many there were. */
const changeEach = async <Row>(
  db: Db,
  {
    keyId,
    list,
    idOf,
  }: { keyId: string; list: (tx: Tx, page: Page) => Promise<Row[]>; idOf: (row: Row) => string },
  change: (tx: Tx, row: Row) => Promise<void>,
): Promise<number> => {
  let count = 0;
  for (let after = ''; ;) {
    const rows = await list(db.manager, { keyId, after, limit: PAGE });
    for (const row of rows) await inTransaction(db, (tx) => change(tx, row));
    count += rows.length;
    const last = rows.at(-1);
    if (last === undefined) return count;
    after = idOf(last);
  }
};

const resealApps = (db: Db, keys: FactorKeys): Promise<number> =>
  changeEach(db, { keyId: keys.id, list: listTotpOfOtherKeys, idOf: (id) => id }, async (tx, accountId) => {
    const row = await lockTotp(tx, accountId);
    if (row !== null) await updateSecret(tx, accountId, keys.reseal(accountId, row));
  });

const resealWebhooks = (db: Db, keys: FactorKeys, clock: Clock): Promise<number> =>
  changeEach(db, { keyId: keys.id, list: listWebhooksOfOtherKeys, idOf: ({ id }) => id }, async (tx, ref) => {
    const row = await lockWebhook(tx, ref);
    if (row !== null) await updateWebhook(tx, row.id, resealedSecrets(keys, row, clock()));
  });

const reencrypt: Action = {
  name: 'reencrypt',
  about: 'encrypts the secrets of authenticator apps and webhooks with the first key of FACTOR_KEY',
  words: [],
  options: {},
  timeoutSeconds: inSeconds(minutes(60)),
  run: async ({ env, clock, terminal }) => {
    const { DATABASE_URL, FACTOR_KEY } = variables;
    const config = loadConfig({ DATABASE_URL, FACTOR_KEY }, env);
    const keys = createFactorKeys(config.FACTOR_KEY);
    await withServiceDb({ url: config.DATABASE_URL, schema }, async (db) => {
      const [apps, webhooks] = [await resealApps(db, keys), await resealWebhooks(db, keys, clock)];
      terminal.print(`${apps} authenticator apps and ${webhooks} webhooks encrypted again`);
      const accounts = await countCodesOfOtherKeys(db.manager, keys.id);
      terminal.print(`${accounts} accounts have recovery codes that need an older key`);
    });
    return EXIT.done;
  },
};

export const factorsCommand: Command = { actions: [reencrypt] };
