// The addresses to which nothing is sent any more: shown with the account, and tried again when its user or an admin asks for it.
import {
  emailChangeEndpoints,
  emailRetryEndpoints,
  type EmailView,
  type OwnSuppression,
  type Suppression,
  suppressionEndpoints,
} from '@shortlist/contracts/api/email';
import { identityEndpoints } from '@shortlist/contracts/api/identity';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { signUpEndpoints } from '@shortlist/contracts/api/authentication';
import { teamEndpoints } from '@shortlist/contracts/api/team';
import { asService } from '@shortlist/kit/http/http-client';
import type { Caller } from '@shortlist/kit/http/service-token';
import { createError } from '@shortlist/kit/process/errors';
import type { Log } from '@shortlist/kit/process/log';
import { composed, type Route } from '../http/endpoint.ts';
import type { Limits } from '../limits/limits.ts';
import { PROVIDER_TIMEOUT_MS, type Services } from '../services.ts';

type FindParts = { services: Pick<Services, 'worker'>; log: Log };

const FIND = asService({ timeoutMs: 1_000 });

/** The suppressions of these addresses. A page that shows them does without while worker does not respond. */
const findSuppressions = async (
  { services, log }: FindParts,
  emails: readonly string[],
): Promise<Suppression[]> => {
  try {
    return (await services.worker(suppressionEndpoints.findSuppressions, { emails: [...emails] }, FIND)).data;
  } catch (error) {
    log.warn({ err: error }, 'suppressions not read');
    return [];
  }
};

/** Whether the user has proved to read the mail to an address of the account. */
const isProven = ({ email, isVerified }: EmailView, address: string): boolean =>
  isVerified && address === email;

/** Where the address may be another person's, that person's complaint reads as a bounce. */
const present = (account: EmailView, { email, kind }: Suppression): OwnSuppression => ({
  email,
  kind: isProven(account, email) ? kind : 'bounced',
});

/** The suppression of the address that a user waits for a mail at: the new one of a change, or else the account's. */
export const findOwnSuppression = async (
  parts: FindParts,
  { email, pendingEmail }: Pick<EmailView, 'email' | 'pendingEmail'>,
): Promise<Suppression | null> => {
  const emails = pendingEmail === null ? [email] : [pendingEmail, email];
  const found = await findSuppressions(parts, emails);
  return emails.flatMap((address) => found.filter((suppression) => suppression.email === address))[0] ?? null;
};

/** SendGrid is called meanwhile. */
const LIFT = asService({ timeoutMs: PROVIDER_TIMEOUT_MS });

const lift = ({ worker }: Services, email: string): Promise<unknown> =>
  worker(suppressionEndpoints.liftSuppression, { email }, LIFT);

type Parts = { services: Services; log: Log; limits: Limits };

/** Sends what the user waits for at the address: the link of the change or of the confirmation, or else a mail that just arrives. */
const sendAgain = async (
  { services: { identity, worker }, limits }: Parts,
  { caller, address, userId: id }: { caller: Caller; address: string; userId: string },
  { account, email }: { account: EmailView; email: string },
): Promise<void> => {
  if (email === account.pendingEmail)
    await limits.emailChange.count({ id, email, address }, () =>
      identity(emailChangeEndpoints.resendEmailChange, { id }, { caller }),
    );
  else if (account.isVerified) await worker(suppressionEndpoints.sendTestMail, { userId: id }, asService());
  else await identity(signUpEndpoints.requestVerification, { id }, { caller });
};

const ownEndpoints = (parts: Parts): Route[] => {
  const { services, limits } = parts;
  return [
    composed(publicEndpoints.email, async ({ caller, userId: id }) => {
      const { data } = await services.identity(identityEndpoints.email, { id }, { caller });
      const suppression = await findOwnSuppression(parts, data);
      return { data: { ...data, suppression: suppression && present(data, suppression) } };
    }),

    composed(publicEndpoints.retryEmail, async ({ caller, address, userId }) => {
      const { data: account } = await services.identity(identityEndpoints.email, { id: userId }, { caller });
      const suppression = await findOwnSuppression(parts, account);
      if (suppression === null) return { message: 'requested' };
      // A person who complained about emails that others caused gets no further ones.
      if (suppression.kind === 'complained' && !isProven(account, suppression.email))
        throw createError('worker.complaint_kept');
      await limits.retry.consume(userId);
      try {
        const { email } = suppression;
        await lift(services, email);
        await sendAgain(parts, { caller, address, userId }, { account, email });
      } catch (error) {
        await limits.retry.refund(userId);
        throw error;
      }
      return { message: 'requested' };
    }),
  ];
};

/** Lifts the suppression of an account of this role for an admin. Unless that is recorded, nothing is lifted. */
const liftOf = async (
  { services }: Parts,
  account: { id: string; role: 'user' | 'admin' },
  caller: Caller,
): Promise<void> => {
  const { data } = await services.identity(emailRetryEndpoints.recordEmailRetry, account, { caller });
  await lift(services, data.email);
};

const adminEndpoints = (parts: Parts): Route[] => {
  const { services } = parts;
  return [
    composed(publicEndpoints.retryUserEmail, async ({ input: { id }, caller }) => {
      await liftOf(parts, { id, role: 'user' }, caller);
      return { message: 'requested' };
    }),

    composed(publicEndpoints.retryAdminEmail, async ({ input: { id }, caller }) => {
      await liftOf(parts, { id, role: 'admin' }, caller);
      return { message: 'requested' };
    }),

    composed(publicEndpoints.team, async ({ caller }) => {
      const { data } = await services.identity(teamEndpoints.getTeam, {}, { caller });
      const emails = [...data.members, ...data.invitations].map(({ email }) => email);
      return { data: { ...data, suppressions: await findSuppressions(parts, emails) } };
    }),

    // If the email of an invitation bounced, the mailbox exists by now, or the email bounces again.
    composed(publicEndpoints.resendInvitation, async ({ input, caller }) => {
      const { data } = await services.identity(teamEndpoints.getTeam, {}, { caller });
      const invited = data.invitations.filter(({ id }) => id === input.id).map(({ email }) => email);
      for (const { email } of await findSuppressions(parts, invited)) await lift(services, email);
      return services.identity(teamEndpoints.resendInvitation, input, { caller });
    }),
  ];
};

export const suppressedEmailEndpoints = (parts: Parts): Route[] => [
  ...ownEndpoints(parts),
  ...adminEndpoints(parts),
];
