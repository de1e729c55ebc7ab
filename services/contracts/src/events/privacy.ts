import Joi from 'joi';
import { time } from '../schemas/text.ts';
import { generation } from './generation.ts';
import { defineEvent } from './define.ts';

export type DeletionRequested = { deletionId: string; dueAt: string; generation: number };
export type DeletionApproaching = { deletionId: string; dueAt: string };
export type DataExportProgressed = { exportId: string; done: number };

const id = Joi.string().required();

export const deletionRequested = defineEvent<DeletionRequested>('identity.DeletionRequested.v1', {
  summary: 'A user requested the deletion of the account: every session ends, and the deletion is due later.',
  data: Joi.object<DeletionRequested, true>({ deletionId: id, dueAt: time, generation }),
});

export const deletionApproaching = defineEvent<DeletionApproaching>('identity.DeletionApproaching.v1', {
  summary: 'The deletion that a user requested is due in a few days. Emitted once.',
  data: Joi.object<DeletionApproaching, true>({ deletionId: id, dueAt: time }),
});

export const deletionCancelled = defineEvent<{ deletionId: string }>('identity.DeletionCancelled.v1', {
  summary: 'A user kept the account whose deletion had been requested.',
  data: Joi.object<{ deletionId: string }, true>({ deletionId: id }),
});

export const confirmationReminded = defineEvent<{ dueAt: string }>('identity.ConfirmationReminded.v1', {
  summary:
    'The address of an account is not confirmed: the account is given up at the stated time. Emitted once.',
  data: Joi.object<{ dueAt: string }, true>({ dueAt: time }),
});

export const dataExportRequested = defineEvent<{ exportId: string }>('identity.DataExportRequested.v1', {
  summary: 'A user requested a file with all personal data; a job writes it.',
  data: Joi.object<{ exportId: string }, true>({ exportId: id }),
});

export const dataExportProgressed = defineEvent<DataExportProgressed>('identity.DataExportProgressed.v1', {
  summary: 'A part of the file with the data of a user is done, or the file has failed.',
  data: Joi.object<DataExportProgressed, true>({ exportId: id, done: Joi.number().integer().required() }),
});

export const dataExportReady = defineEvent<{ exportId: string; expiresAt: string }>(
  'identity.DataExportReady.v1',
  {
    summary:
      'The file with the data of a user is ready until the stated time. The event contains none of the data.',
    data: Joi.object<{ exportId: string; expiresAt: string }, true>({ exportId: id, expiresAt: time }),
  },
);
