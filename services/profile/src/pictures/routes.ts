import { randomBytes } from 'node:crypto';
import { profileEndpoints } from '@shortlist/contracts/api/profile';
import { publicPaths } from '@shortlist/contracts/api/public';
import { hours } from '@shortlist/contracts/durations';
import { PICTURE_MAX_BYTES, PICTURE_NAME } from '@shortlist/contracts/limits';
import { type Db, inTransaction, type Tx } from '@shortlist/kit/data/db';
import type { Router } from '@shortlist/kit/http/router';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import express, { type Express } from 'express';
import { createPictureEncoder } from './encode-picture.ts';
import { deleteOrphans, findPictureBytes, insertPicture } from './queries.ts';

const ORPHAN_MS = hours(1);

/**
 * Pictures need no session, because their names cannot be guessed. A new picture has a new name, so browsers may cache one, but only for an
 * hour, because it may be deleted; shared caches may not.
 */
export const addPictureFiles = (app: Express, db: Db): void => {
  app.get(`${publicPaths.pictures}:name`, async (request, response) => {
    const { name } = request.params;
    const bytes = PICTURE_NAME.test(name) ? await findPictureBytes(db.manager, name) : null;
    if (bytes === null) throw createError('profile.picture_not_found');
    response
      .set({
        'content-type': 'image/jpeg',
        'cache-control': 'private, max-age=3600',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
      })
      .send(bytes);
  });
  app.use(
    profileEndpoints.storePicture.path,
    express.raw({ type: 'application/octet-stream', limit: PICTURE_MAX_BYTES + 1, inflate: false }),
  );
};

/** Stores an encoded picture, without an owner, under a random name that cannot be guessed. */
const storePicture = async (tx: Tx, bytes: Buffer, clock: Clock): Promise<string> => {
  const name = `${randomBytes(16).toString('hex')}.jpg`;
  await insertPicture(tx, { name, bytes, createdAt: clock() });
  return name;
};

export const addPictureEndpoints = (router: Router, { db, clock }: { db: Db; clock: Clock }): void => {
  const encodePicture = createPictureEncoder();
  router.add(profileEndpoints.storePicture, async ({ request }) => {
    const body: unknown = request.body;
    if (!Buffer.isBuffer(body)) throw createError('request.unsupported_type');
    const bytes = await encodePicture(body);
    return { name: await inTransaction(db, (tx) => storePicture(tx, bytes, clock)) };
  });

  router.add(profileEndpoints.sweepPictures, async () => {
    const before = new Date(clock().getTime() - ORPHAN_MS);
    return { removed: await inTransaction(db, (tx) => deleteOrphans(tx, before)) };
  });
};
