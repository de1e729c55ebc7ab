import { describe, expect, it } from 'vitest';
import type { CustomerSnapshot, DisputeSnapshot, InvoiceSnapshot } from '../stripe/snapshot.ts';
import { isClosed, isLost } from './records.rules.ts';

const invoice = { id: 'in_1' } as InvoiceSnapshot;

describe('a dispute', () => {
  it.each([
    ['warning_needs_response', false, false],
    ['warning_under_review', false, false],
    ['warning_closed', false, true],
    ['needs_response', false, false],
    ['under_review', false, false],
    ['won', false, true],
    ['lost', true, true],
    ['appeal_needs_response', true, false],
    ['appeal_under_review', true, false],
    ['prevented', false, true],
  ])('in the state %s is lost: %s, and closed: %s', (status, lost, closed) => {
    const dispute = { invoiceId: invoice.id, status } as DisputeSnapshot;
    const snapshot: CustomerSnapshot = { subscriptions: [], invoices: [invoice], disputes: [dispute] };
    expect([isLost(invoice, snapshot), isClosed(dispute)]).toEqual([lost, closed]);
    expect(isLost({ ...invoice, id: 'in_2' }, snapshot)).toBe(false);
  });
});
