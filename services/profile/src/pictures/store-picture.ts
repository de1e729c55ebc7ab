import { randomBytes } from 'node:crypto';
import type { Clock } from '@shortlist/kit/process/clock';
import type { Tx } from '@shortlist/kit/data/db';
import { insertPicture } from './queries.ts';

/** Keeps an encoded picture under a name that tells nothing and cannot be guessed. It has no owner yet. */
export const storePicture = async (tx: Tx, bytes: Buffer, clock: Clock): Promise<string> => {
  const name = `${randomBytes(16).toString('hex')}.jpg`;
  await insertPicture(tx, { name, bytes, createdAt: clock() });
  return name;
};
