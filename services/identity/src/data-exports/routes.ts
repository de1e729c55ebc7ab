import { once } from 'node:events';
import { privacyEndpoints } from '@shortlist/contracts/api/privacy';
import { EXPORT_CHUNK_BYTES } from '@shortlist/contracts/limits';
import { type Db, inTransaction } from '@shortlist/kit/data/db';
import type { Router } from '@shortlist/kit/http/router';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import express, { type Express, type Response } from 'express';
import {
  failRun,
  finishExport,
  removeExports,
  reportExport,
  requestExport,
  STALLED_MS,
  startExport,
  storePiece,
} from './export-data.ts';
import { findChunk, findLatest, isExpired, listWaiting, presentExport } from './queries.ts';

/** Sends the file of an account piece by piece. Throws `identity.export_not_found` if there is none. */
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

const WAITING_MAX = 100;

/** A piece of a file is the raw body, parsed before the JSON parser. */
export const addChunkParser = (app: Express): void => {
  app.use(
    '/data-exports',
    express.raw({ type: 'application/octet-stream', limit: EXPORT_CHUNK_BYTES, inflate: false }),
  );
};

const addRunEndpoints = (router: Router, { db, clock }: Parts): void => {
  router.add(privacyEndpoints.startExport, async ({ input }) => ({
    data: await inTransaction(db, (tx) => startExport(tx, { ...input, clock })),
  }));
  router.add(privacyEndpoints.reportExport, async ({ input }) => {
    await inTransaction(db, (tx) => reportExport(tx, input, clock));
    return {};
  });
  router.add(privacyEndpoints.storeExportChunk, async ({ input, request }) => {
    const content: unknown = request.body;
    if (!Buffer.isBuffer(content)) throw createError('request.unsupported_type');
    await inTransaction(db, (tx) => storePiece(tx, { ...input, content }, clock));
    return {};
  });
};

const addEndEndpoints = (router: Router, { db, clock }: Parts): void => {
  router.add(privacyEndpoints.finishExport, async ({ input }) => {
    await inTransaction(db, (tx) => finishExport(tx, input, clock));
    return {};
  });
  router.add(privacyEndpoints.failExport, async ({ input }) => {
    await inTransaction(db, (tx) => failRun(tx, input, clock));
    return {};
  });
  router.add(privacyEndpoints.listWaitingExports, async () => {
    const stalled = new Date(clock().getTime() - STALLED_MS);
    return { data: await listWaiting(db.manager, stalled, WAITING_MAX) };
  });
};

export const addDataExportEndpoints = (router: Router, parts: Parts): void => {
  const { db, clock } = parts;
  addRunEndpoints(router, parts);
  addEndEndpoints(router, parts);

  router.add(privacyEndpoints.getDataExport, async ({ input: { id } }) => {
    const row = await findLatest(db.manager, id);
    return { data: row && presentExport(row, clock()) };
  });

  router.add(privacyEndpoints.requestDataExport, async ({ input: { id }, caller }) => {
    const row = await inTransaction(db, (tx) => requestExport(tx, { accountId: id, caller, clock }));
    return { data: presentExport(row, clock()) };
  });

  router.add(privacyEndpoints.removeDataExport, async ({ input: { id } }) => {
    await inTransaction(db, (tx) => removeExports(tx, id));
    return {};
  });

  router.add(privacyEndpoints.downloadDataExport, async ({ input: { id }, response }) => {
    await sendFile(parts, id, response);
    return Buffer.alloc(0); // the response has already been sent
  });
};
