import { once } from 'node:events';
import { type ExportRun, privacyEndpoints } from '@shortlist/contracts/api/privacy';
import { EXPORT_CHUNK_BYTES, EXPORT_PARTS } from '@shortlist/contracts/limits';
import { userId, wholeNumber } from '@shortlist/contracts/schemas/text';
import { type Db, inTransaction } from '@shortlist/kit/data/db';
import type { Router } from '@shortlist/kit/http/router';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import express, { type Express, type Response } from 'express';
import Joi from 'joi';
import { findChunk, findLatest, isExpired, listWaiting, presentExport } from './queries.ts';
import { removeExports, requestExport } from './request-export.ts';
import { failRun, finishExport, reportExport, STALLED_MS, startExport, storePiece } from './run-export.ts';

/** Sends the file of an account piece by piece. Throws `identity.export_not_found` when there is none. */
const sendFile = async (
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

type Parts = { db: Db; clock: Clock };

const ofUser = Joi.object<{ id: string }, true>({ id: userId });
const owner = ({ id }: { id: string }): string => id;
const run = Joi.object<ExportRun, true>({ exportId: userId, attempt: wholeNumber.min(1).required() });
const WAITING_MAX = 100;

/** Pieces of files are the body itself; it is parsed ahead of the JSON parser. */
export const addChunkParser = (app: Express): void => {
  app.use(
    '/data-exports',
    express.raw({ type: 'application/octet-stream', limit: EXPORT_CHUNK_BYTES, inflate: false }),
  );
};

const addRunEndpoints = (router: Router, { db, clock }: Parts): void => {
  router.add(privacyEndpoints.startExport, {
    roles: ['service'],
    input: Joi.object<{ exportId: string }, true>({ exportId: userId }),
    handle: async ({ input }) => ({
      data: await inTransaction(db, (tx) => startExport(tx, { ...input, clock })),
    }),
  });
  router.add(privacyEndpoints.reportExport, {
    roles: ['service'],
    input: run.append<ExportRun & { done: number }>({
      done: wholeNumber.min(0).max(EXPORT_PARTS.length).required(),
    }),
    handle: async ({ input }) => {
      await inTransaction(db, (tx) => reportExport(tx, input, clock));
      return {};
    },
  });
  router.add(privacyEndpoints.storeExportChunk, {
    roles: ['service'],
    input: run.append<ExportRun & { position: number; content: Uint8Array }>({
      position: wholeNumber.min(0).required(),
    }),
    handle: async ({ input, request }) => {
      const content: unknown = request.body;
      if (!Buffer.isBuffer(content)) throw createError('request.unsupported_type');
      await inTransaction(db, (tx) => storePiece(tx, { ...input, content }, clock));
      return {};
    },
  });
};

const addEndEndpoints = (router: Router, { db, clock }: Parts): void => {
  router.add(privacyEndpoints.finishExport, {
    roles: ['service'],
    input: run.append<ExportRun & { bytes: number }>({ bytes: wholeNumber.min(1).required() }),
    handle: async ({ input }) => {
      await inTransaction(db, (tx) => finishExport(tx, input, clock));
      return {};
    },
  });
  router.add(privacyEndpoints.failExport, {
    roles: ['service'],
    input: run,
    handle: async ({ input }) => {
      await inTransaction(db, (tx) => failRun(tx, input, clock));
      return {};
    },
  });
  router.add(privacyEndpoints.listWaitingExports, {
    roles: ['service'],
    input: Joi.object<Record<never, never>>({}),
    handle: async () => {
      const stalled = new Date(clock().getTime() - STALLED_MS);
      return { data: await listWaiting(db.manager, stalled, WAITING_MAX) };
    },
  });
};

export const addDataExportEndpoints = (router: Router, parts: Parts): void => {
  const { db, clock } = parts;
  addRunEndpoints(router, parts);
  addEndEndpoints(router, parts);

  router.add(privacyEndpoints.getDataExport, {
    roles: ['user'],
    input: ofUser,
    owner,
    handle: async ({ input: { id } }) => {
      const row = await findLatest(db.manager, id);
      return { data: row && presentExport(row, clock()) };
    },
  });

  router.add(privacyEndpoints.requestDataExport, {
    roles: ['user'],
    input: ofUser,
    owner,
    status: 202,
    handle: async ({ input: { id }, caller }) => {
      const row = await inTransaction(db, (tx) => requestExport(tx, { accountId: id, caller, clock }));
      return { data: presentExport(row, clock()) };
    },
  });

  router.add(privacyEndpoints.removeDataExport, {
    roles: ['user'],
    input: ofUser,
    owner,
    handle: async ({ input: { id } }) => {
      await inTransaction(db, (tx) => removeExports(tx, id));
      return {};
    },
  });

  router.add(privacyEndpoints.downloadDataExport, {
    roles: ['user'],
    input: ofUser,
    owner,
    handle: async ({ input: { id }, response }) => {
      await sendFile(parts, id, response);
      return Buffer.alloc(0); // the response is sent already
    },
  });
};
