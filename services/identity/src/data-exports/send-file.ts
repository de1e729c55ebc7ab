import { once } from 'node:events';
import type { Db } from '@shortlist/kit/data/db';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import type { Response } from 'express';
import { isExpired } from './present.ts';
import { findChunk, findLatest } from './queries.ts';

/** Sends the file of an account piece by piece. Throws `identity.export_not_found` when there is none. */
export const sendFile = async (
  { db, clock }: { db: Db; clock: Clock },
  accountId: string,
  response: Response,
): Promise<void> => {
  const row = await findLatest(db.manager, accountId);
  if (row?.state !== 'ready' || isExpired(row, clock())) throw createError('identity.export_not_found');
  const { id: exportId, attempt } = row;
  const chunkAt = (position: number) => findChunk(db.manager, { exportId, attempt, position });
  const first = await chunkAt(0);
  if (first === null) throw createError('identity.export_not_found');
  response.status(200).set({
    'content-type': 'application/zip',
    'content-length': String(row.bytes),
    'content-disposition': 'attachment; filename="my-data.zip"',
  });
  let chunk: typeof first | null = first;
  for (let position = 1; chunk !== null && !response.destroyed; position += 1) {
    if (!response.write(chunk.content))
      await Promise.race([once(response, 'drain'), once(response, 'close')]);
    chunk = await chunkAt(position);
  }
  response.end();
};
