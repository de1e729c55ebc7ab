import type { Guard } from './guard.ts';

const IDENTITY = ['services/identity/test/email-change.test.ts'];

/** The guards of a change of the e-mail address. */
export const EMAIL_GUARDS: readonly Guard[] = [
  {
    name: 'reserved-address',
    protects: 'A13 no other account takes an address that can undo a change',
    file: 'services/identity/src/accounts/take-email.ts',
    guard: 'if (await lockReservation(tx, { email, accountId: id }, now)) throw emailTaken();',
    without: '',
    tests: IDENTITY,
    titles: 'A13 is reserved',
  },
  {
    name: 'unconfirmed-undo',
    protects: 'A12 an address that was never confirmed cannot take the account',
    file: 'services/identity/src/emails/confirm-email-change.ts',
    guard: 'emailVerifiedAt === null ? null : ',
    without: '',
    tests: IDENTITY,
    titles: 'A12 confirms an account',
  },
  {
    name: 'undone-later-changes',
    protects: 'A13 an undo ends the later changes',
    file: 'services/identity/src/emails/undo-email-change.ts',
    guard: 'await endChangesFrom(tx, change, clock());',
    without: '',
    tests: IDENTITY,
    titles: 'A13 the link of the first change',
  },
  {
    name: 'email-version-profile',
    protects: 'A13 an older event restores no older address in the directory',
    file: 'services/profile/src/emails/store-email.ts',
    guard: ' || current.emailVersion >= version',
    without: '',
    tests: ['services/profile/test/email-copy.test.ts'],
    titles: 'A13 an older event',
  },
  {
    name: 'email-version-billing',
    protects: 'A13 an older event restores no older address at Stripe',
    file: 'services/billing/src/subscriptions/queries.ts',
    guard: 'emailVersion: LessThan(emailVersion), ',
    without: '',
    tests: ['services/billing/test/email-change.test.ts'],
    titles: 'A13 an older event',
  },
  {
    name: 'email-change-factor',
    protects: 'A13 the password alone does not change the address of an account with two steps',
    file: 'bff/src/pages/email-change.ts',
    guard: "if (!reauthenticationOf(data.factors).includes('password')) assertRecent(session, clock);",
    without: '',
    tests: ['bff/test/email-change.test.ts'],
    titles: 'two-step verification is on',
  },
];
