import type { TimelineLists } from '@shortlist/audit/timeline';
import type { TimelineEntry } from '@shortlist/contracts/api/timeline';
import type { Tx } from '@shortlist/kit/data/db';
import { findAccount } from '../accounts/queries.ts';
import { listSignIns, presentSignIn } from '../credentials/sign-in-queries.ts';

const milestone = (what: 'registered' | 'email_confirmed', at: Date): TimelineEntry => ({
  id: `account:${what}`,
  at: at.toISOString(),
  account: { what },
});

export const timelineLists = (tx: Tx): TimelineLists => ({
  account: async ({ userId }) => {
    const account = await findAccount(tx, userId);
    if (account === null) return [];
    const { createdAt, emailVerifiedAt } = account;
    const registered = milestone('registered', createdAt);
    // An email that was confirmed from the start has no entry: an admin vouched for it, or the confirmation made the account.
    const isSeparate = emailVerifiedAt !== null && emailVerifiedAt > createdAt;
    return isSeparate ? [milestone('email_confirmed', emailVerifiedAt), registered] : [registered];
  },

  signIn: async ({ userId, kind }) => {
    const rows = await listSignIns(tx, userId);
    return rows
      .filter(({ method }) => kind === undefined || (kind === 'support') === (method === 'support'))
      .map(presentSignIn)
      .map((signIn) => ({ id: `sign_in:${signIn.id}`, at: signIn.at, signIn }));
  },
});
