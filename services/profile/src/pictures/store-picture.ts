import { randomBytes } from 'node:crypto';
import type { Clock } from '@shortlist/kit/process/clock';
import type { Tx } from '@shortlist/kit/data/db';
import { insertPicture } from './queries.ts';

/** Stores an encoded picture, without an owner, under a random name that cannot be guessed. */
export const storePicture = async (tx: Tx, bytes: Buffer, clock: Clock): Promise<string> => {
  const name = `${randomBytes(16).toString('hex')}.jpg`;
  await insertPicture(tx, { name, bytes, createdAt: clock() });
  return name;
};
