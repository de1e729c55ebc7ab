import express, { type Express } from 'express';
import Joi from 'joi';
import { profileDoors } from '@shortlist/contracts/api/profile';
import { publicPaths } from '@shortlist/contracts/api/public';
import { PICTURE_MAX_BYTES, PICTURE_NAME } from '@shortlist/contracts/limits';
import type { Clock } from '@shortlist/kit/clock';
import { type Db, inTransaction } from '@shortlist/kit/db';
import type { Doors } from '@shortlist/kit/doors';
import { coded } from '@shortlist/kit/errors';
import { createPictureEncoder } from './encode-picture.ts';
import { deleteOrphans, findPictureBytes } from './queries.ts';
import { storePicture } from './store-picture.ts';

const NOTHING = Joi.object<Record<never, never>>({});
const ORPHAN_MS = 60 * 60 * 1000;

/** Pictures are public: their names cannot be guessed. They never change, so a browser may keep them. */
export const addPictureFiles = (app: Express, db: Db): void => {
  app.get(`${publicPaths.pictures}:name`, async (request, response) => {
    const { name } = request.params;
    const bytes = PICTURE_NAME.test(name) ? await findPictureBytes(db.manager, name) : null;
    if (bytes === null) throw coded('profile.picture_not_found');
    response
      .set({
        'content-type': 'image/jpeg',
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
      })
      .send(bytes);
  });
  app.use(
    profileDoors.storePicture.path,
    express.raw({ type: 'application/octet-stream', limit: PICTURE_MAX_BYTES + 1 }),
  );
};

export const addPictureDoors = (doors: Doors, { db, clock }: { db: Db; clock: Clock }): void => {
  const encodePicture = createPictureEncoder();
  doors.add(profileDoors.storePicture, {
    roles: ['anonymous', 'user', 'admin'],
    input: NOTHING as Joi.Schema<{ picture: Uint8Array }>, // the picture is the body itself
    status: 201,
    answer: async ({ request }) => {
      const body: unknown = request.body;
      if (!Buffer.isBuffer(body)) throw coded('request.unsupported_type');
      const bytes = await encodePicture(body);
      return { name: await inTransaction(db, (tx) => storePicture(tx, bytes, clock)) };
    },
  });

  doors.add(profileDoors.sweepPictures, {
    roles: ['service'],
    input: NOTHING,
    answer: async () => {
      const before = new Date(clock().getTime() - ORPHAN_MS);
      return { removed: await inTransaction(db, (tx) => deleteOrphans(tx, before)) };
    },
  });
};
