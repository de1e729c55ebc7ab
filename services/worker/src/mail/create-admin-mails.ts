import type { AdminRole } from '@shortlist/contracts/admin-permissions';
import { identityEndpoints } from '@shortlist/contracts/api/identity';
import type { AdminInvited, OwnerAdded } from '@shortlist/contracts/events/identity';
import type { AlertRaised } from '@shortlist/contracts/events/billing';
import type { CloudEvent } from '@shortlist/contracts/events/define';
import type { Db } from '@shortlist/kit/data/db';
import { asService, type ServiceClient } from '@shortlist/kit/http/http-client';
import { handleOnce } from '@shortlist/kit/messaging/inbox';
import type { Clock } from '@shortlist/kit/process/clock';
import { createMail } from './queries.ts';
import { type Senders, wakeSender } from './send-mail.ts';
import type { MailData, Template } from './mail-data.ts';

type Parts = Senders & { db: Db; clock: Clock; identity: ServiceClient };
type Admin = { userId: string; role: AdminRole | null };
type Order = {
  [Name in Template]: { userId: string; template: Name; data: MailData[Name] };
}[Template];

const AS_SERVICE = asService({ timeoutMs: 2_000 });

/** Stores the emails that an event causes to admins, once per event. Throws while identity is unavailable. */
const createMails = async <Data>(
  parts: Parts,
  event: CloudEvent<Data>,
  ordersOf: (admins: Admin[]) => Order[],
): Promise<void> => {
  const { db, clock, identity } = parts;
  const { data: admins } = await identity(identityEndpoints.listAdmins, {}, AS_SERVICE);
  await handleOnce({ db, clock, consumer: 'worker' }, event, async (tx) => {
    for (const order of ordersOf(admins)) await createMail(tx, event, order);
  });
  await wakeSender(parts);
};

const alertData = ({ alertId, kind, amount, currency, detail }: AlertRaised): MailData['alert'] => ({
  kind,
  objectId: alertId.slice(kind.length + 1),
  amount: amount === null ? '' : String(amount),
  currency: currency ?? '',
  detail: detail ?? '',
});

/** One email for each admin who is not suspended. */
export const createAlertMails = (parts: Parts, event: CloudEvent<AlertRaised>): Promise<void> =>
  createMails(parts, event, (admins) =>
    admins
      .filter(({ role }) => role !== null)
      .map(({ userId }) => ({ userId, template: 'alert', data: alertData(event.data) })),
  );

const ownersOf = (admins: Admin[]): Admin[] => admins.filter(({ role }) => role === 'owner');

/** The invitation itself, and one email for each owner, even the one who sent it: their session may be hijacked. */
export const createInvitationMails = (parts: Parts, event: CloudEvent<AdminInvited>): Promise<void> =>
  createMails(parts, event, (admins) => {
    const data = { role: event.data.role };
    const toOwners = ownersOf(admins).map(({ userId }) => ({
      userId,
      template: 'invitation_sent' as const,
      data,
    }));
    return [{ userId: event.subject, template: 'admin_invitation', data }, ...toOwners];
  });

/** One email for each owner except the new one. */
export const createOwnerMails = (parts: Parts, event: CloudEvent<OwnerAdded>): Promise<void> =>
  createMails(parts, event, (admins) =>
    ownersOf(admins)
      .filter(({ userId }) => userId !== event.subject)
      .map(({ userId }) => ({ userId, template: 'owner_added', data: { by: event.data.by } })),
  );
