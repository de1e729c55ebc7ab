import Joi from 'joi';
import {
  privacyEndpoints,
  SUBSCRIPTION_CHOICES,
  type SubscriptionChoice,
} from '@shortlist/contracts/api/privacy';
import { DELETION_REASON_MAX } from '@shortlist/contracts/limits';
import { emailSchema } from '@shortlist/contracts/schemas/account';
import { line, userId } from '@shortlist/contracts/schemas/text';
import { type Db, inTransaction } from '@shortlist/kit/data/db';
import type { Router } from '@shortlist/kit/http/router';
import type { Clock } from '@shortlist/kit/process/clock';
import { cancelDeletion, requestDeletion } from './request-deletion.ts';
import { completeDeletion, remindDeletions } from './complete-deletion.ts';
import { findDeletion, listDueDeletions, presentDeletion } from './queries.ts';

type Parts = { db: Db; clock: Clock };
type Request = {
  id: string;
  email: string;
  keepUntil?: string | null;
  subscription: SubscriptionChoice;
  reason?: string;
};

const NOTHING = Joi.object<Record<never, never>>({});
const ofUser = Joi.object<{ id: string }, true>({ id: userId });
const owner = ({ id }: { id: string }): string => id;
/** Deletions that one run of the job completes. */
const DUE_MAX = 100;

const request = Joi.object<Request, true>({
  id: userId,
  email: emailSchema,
  keepUntil: Joi.string().isoDate().allow(null),
  subscription: Joi.string()
    .valid(...SUBSCRIPTION_CHOICES)
    .required(),
  reason: line({ required: 'Please enter a text' }, { max: DELETION_REASON_MAX }).optional().empty(''),
});

const addJobEndpoints = (router: Router, { db, clock }: Parts): void => {
  router.add(privacyEndpoints.remindDeletions, {
    roles: ['service'],
    input: NOTHING,
    handle: () => remindDeletions(db, clock),
  });
  router.add(privacyEndpoints.listDueDeletions, {
    roles: ['service'],
    input: NOTHING,
    handle: async () => ({
      data: (await listDueDeletions(db.manager, clock(), DUE_MAX)).map(({ id, accountId, dueAt }) => ({
        ...{ userId: accountId, deletionId: id },
        dueAt: dueAt.toISOString(),
      })),
    }),
  });
  router.add(privacyEndpoints.completeDeletion, {
    roles: ['service'],
    input: Joi.object<{ deletionId: string }, true>({ deletionId: userId }),
    handle: async ({ input: { deletionId } }) => ({
      deleted: await completeDeletion(db, { deletionId, clock }),
    }),
  });
};

export const addDeletionEndpoints = (router: Router, parts: Parts): void => {
  const { db, clock } = parts;
  addJobEndpoints(router, parts);

  router.add(privacyEndpoints.getDeletion, {
    roles: ['user', 'admin'],
    input: ofUser,
    owner,
    handle: async ({ input: { id } }) => {
      const deletion = await findDeletion(db.manager, id);
      return { data: deletion && presentDeletion(deletion) };
    },
  });

  router.add(privacyEndpoints.requestDeletion, {
    roles: ['user'],
    input: request,
    owner,
    handle: async ({ input: { keepUntil = null, reason = '', ...input }, caller }) => {
      const details = { ...input, reason, keepUntil: keepUntil === null ? null : new Date(keepUntil) };
      const { deletion, generation } = await inTransaction(db, (tx) =>
        requestDeletion(tx, { ...details, caller, clock }),
      );
      return { data: presentDeletion(deletion), generation };
    },
  });

  router.add(privacyEndpoints.cancelDeletion, {
    roles: ['user'],
    input: ofUser,
    owner,
    handle: async ({ input: { id }, caller }) => {
      await inTransaction(db, (tx) => cancelDeletion(tx, { id, caller, clock }));
      return {};
    },
  });
};
