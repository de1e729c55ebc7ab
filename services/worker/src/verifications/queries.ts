import type { Verification, VerificationReport } from '@shortlist/contracts/api/system';
import * as column from '@shortlist/kit/data/columns';
import type { Tx } from '@shortlist/kit/data/db';
import { defineEntity } from '@shortlist/kit/data/entity';
import { upsert } from '@shortlist/kit/data/insert';

const RUNS = ['last', 'last_held'] as const;

/** The newest run of `shortlist verify`, and the newest that found every condition to hold. */
export const verificationEntity = defineEntity('verification', 'verifications', {
  name: { ...column.enumOf(RUNS), primary: true },
  endedAt: column.dateTime,
  checked: column.int,
  unchecked: column.int,
  breached: column.json<VerificationReport['breached']>(),
});

/** Stores the result of a run that has just ended. */
export const storeVerification = async (tx: Tx, report: VerificationReport): Promise<void> => {
  const names = report.breached.length === 0 ? RUNS : (['last'] as const);
  await upsert(tx, verificationEntity, {
    rows: names.map((name) => ({ ...report, name, endedAt: () => 'NOW(3)' })),
    update: ['endedAt', 'checked', 'unchecked', 'breached'],
  });
};

/** Returns null before the first run. */
export const findVerification = async (tx: Tx): Promise<Verification | null> => {
  const runs = await tx.getRepository(verificationEntity).find();
  const [last, lastHeld] = RUNS.map((name) => runs.find((run) => run.name === name));
  if (last === undefined) return null;
  const { endedAt, checked, unchecked, breached } = last;
  const heldAt = lastHeld?.endedAt.toISOString() ?? null;
  return { endedAt: endedAt.toISOString(), checked, unchecked, breached, heldAt };
};
