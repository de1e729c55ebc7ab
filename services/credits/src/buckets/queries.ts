import type { Tx } from '@shortlist/kit/data/db';
import { insertIfAbsent } from '@shortlist/kit/data/insert';
import { change, integer, selectRow } from '@shortlist/kit/data/sql';
import { EntitySchema, LessThan } from 'typeorm';
import { type Bucket, BUCKET_KINDS, type Part } from './bucket.rules.ts';

/**
 * Credits beside those of the plan. `id` is the id of the pack or of the grant. `version` is that of the newest event about a pack, 0 for
 * a grant, which has a `reason` and the admin who gave it instead.
 */
export type BucketRow = Bucket & {
  userId: string;
  version: number;
  reason: string | null;
  grantedBy: string | null;
};

export const bucketEntity = new EntitySchema<BucketRow>({
  name: 'bucket',
  tableName: 'buckets',
  columns: {
    userId: { name: 'user_id', type: 'char', length: 36, primary: true },
    id: { type: 'char', length: 36, primary: true },
    kind: { type: 'enum', enum: [...BUCKET_KINDS] },
    credits: { type: 'int', unsigned: true },
    usable: { type: 'int', unsigned: true },
    used: { type: 'int', unsigned: true },
    endsAt: { name: 'ends_at', type: 'datetime', precision: 3, nullable: true },
    version: { type: 'int', unsigned: true },
    reason: { type: 'varchar', length: 300, nullable: true },
    grantedBy: { name: 'granted_by', type: 'char', length: 36, nullable: true },
    createdAt: { name: 'created_at', type: 'datetime', precision: 3 },
  },
});

/** A part of a ledger entry that is not the window's; its `amount` has the sign of the entry. */
type LedgerPartRow = Part & { entryId: number; userId: string };

export const ledgerPartEntity = new EntitySchema<LedgerPartRow>({
  name: 'ledger_part',
  tableName: 'ledger_parts',
  columns: {
    entryId: {
      name: 'entry_id',
      type: 'bigint',
      unsigned: true,
      primary: true,
      transformer: { from: Number, to: (id: number) => id },
    },
    position: { type: 'smallint', primary: true },
    userId: { name: 'user_id', type: 'char', length: 36 },
    bucketId: { name: 'bucket_id', type: 'char', length: 36 },
    amount: { type: 'int' },
  },
});

// Whoever changes a bucket has locked the account of its user, so buckets need no locks of their own.

export const findBucket = (tx: Tx, userId: string, id: string): Promise<BucketRow | null> =>
  tx.getRepository(bucketEntity).findOneBy({ userId, id });

/** Returns false when the user has the bucket already. */
export const insertBucketIfAbsent = async (tx: Tx, bucket: BucketRow): Promise<boolean> =>
  (await insertIfAbsent(tx, bucketEntity, bucket)) === 1;

/** Stores how many credits of a pack are paid for, unless a version that is not older is stored. Returns whether it was. */
export const updateOlderPack = async (
  tx: Tx,
  { userId, id, version, usable }: Pick<BucketRow, 'userId' | 'id' | 'version' | 'usable'>,
): Promise<boolean> => {
  const older = { userId, id, version: LessThan(version) };
  const result = await tx.getRepository(bucketEntity).update(older, { usable, version });
  return result.affected === 1;
};

/** Takes back what is left of a grant. */
export const updateUsable = async (
  tx: Tx,
  { userId, id, usable }: Pick<BucketRow, 'userId' | 'id' | 'usable'>,
): Promise<void> => {
  await tx.getRepository(bucketEntity).update({ userId, id }, { usable });
};

/** Every bucket of a user, the newest first, as many as a person gets in years. */
export const listBucketsOf = (tx: Tx, userId: string): Promise<BucketRow[]> =>
  tx.getRepository(bucketEntity).find({ where: { userId }, order: { createdAt: 'DESC', id: 'DESC' } });

/** What a user could charge at `now` beside the window of the plan. */
export const listUsable = async (tx: Tx, userId: string, now: Date): Promise<BucketRow[]> =>
  tx
    .getRepository(bucketEntity)
    .createQueryBuilder('bucket')
    .where({ userId })
    .andWhere('bucket.usable > bucket.used')
    .andWhere('(bucket.endsAt IS NULL OR bucket.endsAt > :now)', { now })
    .getMany();

/** The credits that are available at `now` beside those of the window. Raw: a sum of a difference. */
export const sumUsable = async (tx: Tx, userId: string, now: Date): Promise<number> => {
  const row = await selectRow(
    tx,
    { left: integer },
    {
      sql: `SELECT CAST(COALESCE(SUM(usable - used), 0) AS SIGNED) AS \`left\` FROM buckets
            WHERE user_id = ? AND usable > used AND (ends_at IS NULL OR ends_at > ?)`,
      values: [userId, now],
    },
  );
  return row?.left ?? 0;
};

/** Changes the use of buckets by the amounts of `parts`, and by their negative for a return. */
export const changeUse = async (
  tx: Tx,
  userId: string,
  { parts, sign }: { parts: readonly Part[]; sign: 1 | -1 },
): Promise<void> => {
  for (const { bucketId, amount } of parts) {
    // By hand: the condition keeps a defect from turning into credits, and the builder adds no expression to an unsigned column.
    const { affectedRows } = await change(tx, {
      sql: 'UPDATE buckets SET used = used + ? WHERE user_id = ? AND id = ? AND CAST(used AS SIGNED) + ? BETWEEN 0 AND credits',
      values: [sign * amount, userId, bucketId, sign * amount],
    });
    if (affectedRows !== 1)
      throw new Error(`the use of bucket ${bucketId} cannot change by ${sign * amount}`);
  }
};

/** Records how the entry is divided. `parts` have positive amounts, `sign` is that of the entry. */
export const insertLedgerParts = async (
  tx: Tx,
  { entryId, userId, parts, sign }: { entryId: number; userId: string; parts: readonly Part[]; sign: 1 | -1 },
): Promise<void> => {
  if (parts.length === 0) return;
  const values = parts.map(({ amount, ...part }) => ({ ...part, entryId, userId, amount: sign * amount }));
  await tx.createQueryBuilder().insert().into(ledgerPartEntity).values(values).updateEntity(false).execute();
};

/** The parts of a charge, with positive amounts. */
export const listParts = async (tx: Tx, entryId: number): Promise<Part[]> => {
  const rows = await tx.getRepository(ledgerPartEntity).findBy({ entryId });
  return rows.map(({ bucketId, position, amount }) => ({ bucketId, position, amount: Math.abs(amount) }));
};
