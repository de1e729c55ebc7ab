import type { PaymentState } from '@shortlist/contracts/api/payments';
import type { ReactNode } from 'react';
import { paymentText } from '../../messages/payments.ts';
import { Badge } from '../../ui/inline.tsx';

/** Plain words are the normal course; a badge is for what needs an eye. */
const PLAIN: readonly PaymentState[] = ['paid', 'open', 'processing', 'void'];
const WARNING: readonly PaymentState[] = ['disputed', 'past_due', 'failed'];

export const PaymentStateText = ({ state }: { state: PaymentState }): ReactNode =>
  PLAIN.includes(state) ? (
    paymentText(state)
  ) : (
    <Badge tone={WARNING.includes(state) ? 'warn' : undefined}>{paymentText(state)}</Badge>
  );
