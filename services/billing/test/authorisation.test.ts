import { auditDoor } from '@shortlist/contracts/api/audit';
import { billingDoors } from '@shortlist/contracts/api/billing';
import { ENTRIES, type Entry, NARROW, whoEnters } from '@shortlist/kit/testing/who-enters';
import { afterAll, expect, it } from 'vitest';
import { openBilling } from './support.ts';

const billing = await openBilling(NARROW);
afterAll(() => billing.close());

const doors = { ...billingDoors, audit: auditDoor };
const admins = { ...ENTRIES.admins, other: 403 } as const;
/** Every door of the service. One that is missing here does not compile. */
const MATRIX: Record<keyof typeof doors, Entry> = {
  getSubscription: ENTRIES.allButStrangers,
  openCheckout: ENTRIES.users,
  confirmCheckout: ENTRIES.users,
  openPortal: ENTRIES.users,
  grantPlan: admins,
  revokePlan: admins,
  earnings: ENTRIES.admins,
  audit: ENTRIES.admins,
  reconcile: ENTRIES.services,
  retryInbox: ENTRIES.services,
};
/** What the doors for one person take, all in one: what a door does not ask for is dropped. */
const body = { email: 'ada@people.test', name: 'Ada Lovelace', sessionId: 'cs_1', customerId: 'cus_1' };

it.each(Object.entries(MATRIX))(
  'D1 who enters %s; J2 a pool as narrow as can be is enough',
  async (name, entry) => {
    const door = doors[name as keyof typeof doors];
    expect(await whoEnters(billing, 'billing', { door, body })).toEqual(entry);
  },
);
