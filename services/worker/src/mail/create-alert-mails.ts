import { identityEndpoints } from '@shortlist/contracts/api/identity';
import type { AlertRaised } from '@shortlist/contracts/events/billing';
import type { CloudEvent } from '@shortlist/contracts/events/define';
import type { Db } from '@shortlist/kit/data/db';
import type { ServiceClient } from '@shortlist/kit/http/http-client';
import { handleOnce } from '@shortlist/kit/messaging/inbox';
import type { Clock } from '@shortlist/kit/process/clock';
import { createMail } from './create-mail.ts';

type Parts = { db: Db; clock: Clock; identity: ServiceClient };

const AS_SERVICE = { caller: { role: 'service', userId: null }, timeoutMs: 2_000 } as const;

const dataOf = ({ alertId, kind, amount, currency, detail }: AlertRaised): Record<string, string> => ({
  kind,
  objectId: alertId.slice(kind.length + 1),
  amount: amount === null ? '' : String(amount),
  currency: currency ?? '',
  detail: detail ?? '',
});

/** Stores one mail per admin who is not suspended, and returns their ids, once for each event. Throws while identity is unavailable. */
export const createAlertMails = async (
  { db, clock, identity }: Parts,
  event: CloudEvent<AlertRaised>,
): Promise<string[]> => {
  const { data: admins } = await identity(identityEndpoints.listAdmins, {}, AS_SERVICE);
  const mailIds: string[] = [];
  await handleOnce({ db, clock, consumer: 'worker' }, event, async (tx) => {
    const data = dataOf(event.data);
    for (const { userId } of admins.filter(({ role }) => role !== null))
      mailIds.push(await createMail(tx, event, { template: 'alert', data, userId }));
  });
  return mailIds;
};
