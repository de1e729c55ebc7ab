import type { AlertKind } from '@shortlist/contracts/system';
import { money } from './format.ts';
import { mailText } from './messages.ts';

/** Subject and lines of an alert's mail. `data` has the alert's kind, id, amount, currency and detail. */
export const alertLetter = (data: Record<string, string>): { subject: string; lines: string[] } => {
  const { objectId = '', amount = '', currency = '', detail = '' } = data;
  const kind = data['kind'] as AlertKind; // the event's schema allows no other kinds
  const sum = amount === '' || currency === '' ? 'none' : money({ amount, currency });
  return {
    subject: mailText(kind),
    lines: [
      mailText(`${kind}_what`, { amount: sum }),
      mailText(`${kind}_next`),
      detail,
      mailText('reference', { reference: objectId }),
    ],
  };
};
