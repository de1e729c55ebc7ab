import type { AuditView } from '@shortlist/contracts/api/audit';
import { type PaymentAct, paymentEndpoints } from '@shortlist/contracts/api/payments';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { composed, type Route } from '../http/endpoint.ts';
import type { Services } from '../services.ts';
import { addPeople, nameOf } from './audit-log.ts';

const textIn = (state: object | null, ...names: string[]): string | null => {
  const values = state as Record<string, unknown> | null;
  const found = names.map((name) => values?.[name]).find((value) => typeof value === 'string');
  return found === undefined ? null : String(found);
};

/** What an entry of the audit log says about a payment, without the address of who did it. */
const actOf = ({ id, at, action, actor, after }: AuditView): PaymentAct => ({
  id,
  at,
  action,
  by: nameOf(actor),
  text: textIn(after, 'reason', 'note'),
  refundId: textIn(after, 'refund'),
});

/** A payment as billing has it, with the names of the admins who acted on it. */
export const paymentEndpoint = (services: Services): Route =>
  composed(publicEndpoints.payment, async ({ input, caller }) => {
    const { data, entries } = await services.billing(paymentEndpoints.getPayment, input, { caller });
    return { data, acts: (await addPeople(services, caller, entries)).map(actOf) };
  });
