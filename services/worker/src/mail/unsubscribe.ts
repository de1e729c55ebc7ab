// The link by which the reader of a mail turns off the mails of its kind, without a log-in: in the mail program (RFC 8058), or on a page.
import { creditsEndpoints } from '@shortlist/contracts/api/credits';
import {
  UNSUBSCRIBABLE_KINDS,
  type UnsubscribableKind,
  UNSUBSCRIBE_PATH,
  unsubscribeEndpoints,
} from '@shortlist/contracts/api/email';
import { type Db, inTransaction } from '@shortlist/kit/data/db';
import { asService, type ServiceClient } from '@shortlist/kit/http/http-client';
import type { Router } from '@shortlist/kit/http/router';
import type { TokenKeys } from '@shortlist/kit/http/service-token';
import { createSigner } from '@shortlist/kit/http/signer';
import { AppError, createError } from '@shortlist/kit/process/errors';
import { turnOffMails } from './turned-off-queries.ts';

type Subscription = { kind: UnsubscribableKind; userId: string };

export type UnsubscribeTokens = {
  sign: (subscription: Subscription) => string;
  /** What a token turns off; null for one that is not ours, or whose key was removed. */
  open: (token: string) => Subscription | null;
};

/** A token has no end: a mail may be read long after it was sent, and the link only ever turns off mails. */
export const createUnsubscribeTokens = (keys: TokenKeys): UnsubscribeTokens => {
  const signer = createSigner(
    keys.map(({ secret }) => secret),
    'unsubscribe links',
  );
  return {
    sign: ({ kind, userId }) => {
      const signed = `${kind}.${userId}`;
      return `${signed}.${signer.sign(signed)}`;
    },
    open: (token) => {
      const [, signed = '', signature = ''] = /^(.*)\.(.*)$/.exec(token) ?? [];
      if (!signer.verify(signed, signature)) return null;
      const [name, userId = ''] = signed.split('.');
      const kind = UNSUBSCRIBABLE_KINDS.find((known) => known === name);
      return kind === undefined ? null : { kind, userId }; // a newer release may sign other kinds
    },
  };
};

/** Where the header of a mail sends its reader. */
export const unsubscribeUrl = (publicUrl: string, token: string): string =>
  `${publicUrl}${UNSUBSCRIBE_PATH}?token=${token}`;

export type UnsubscribeParts = { db: Db; credits: ServiceClient; unsubscribeTokens: UnsubscribeTokens };

/** What turns off the mails of each kind. */
const TURN_OFF: Record<UnsubscribableKind, (parts: UnsubscribeParts, userId: string) => Promise<unknown>> = {
  credits: ({ credits }, userId) => credits(creditsEndpoints.turnOffCreditMails, { userId }, asService()),
  news: ({ db }, userId) => inTransaction(db, (tx) => turnOffMails(tx, userId, 'news')),
};

const isDeletedUser = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'credits.user_not_found';

export const addUnsubscribeEndpoint = (router: Router, parts: UnsubscribeParts): void =>
  router.add(unsubscribeEndpoints.unsubscribe, async ({ input: { token } }) => {
    const subscription = parts.unsubscribeTokens.open(token);
    if (subscription === null) throw createError('worker.unsubscribe_refused');
    await TURN_OFF[subscription.kind](parts, subscription.userId).catch((error: unknown) => {
      if (!isDeletedUser(error)) throw error; // who gets no emails any more
    });
    return {};
  });
