import type { PaymentDetail, PaymentDispute } from '@shortlist/contracts/api/payments';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { ALERT_NOTE_MAX } from '@shortlist/contracts/limits';
import ArrowUpRight from 'lucide-react/icons/arrow-up-right';
import { type ReactNode, useCallback, useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useConfig } from '../../lib/data/use-config.ts';
import { now, shortDay } from '../../lib/dates.ts';
import { money } from '../../lib/money.ts';
import { providerPage } from '../../lib/paths.ts';
import { May } from '../../lib/state/hooks.tsx';
import { paymentText } from '../../messages/payments.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { ExternalLink, ICON } from '../../ui/inline.tsx';
import { Line, Lines, Panel } from '../../ui/panel.tsx';
import { usePaymentChange } from './payment-actions.tsx';

type NoteDialogProps = { invoiceId: string; disputeId: string; onClose: () => void };

const NoteDialog = ({ invoiceId, disputeId, onClose }: NoteDialogProps): ReactNode => {
  const [note, setNote] = useState('');
  const command = usePaymentChange(async (_: void, token) => {
    await call(publicEndpoints.noteDispute, { invoiceId, disputeId, note: note.trim() }, { token });
    return paymentText('noteDone');
  }, onClose);
  const error = command.failure?.fields['note'];
  return (
    <ConfirmDialog
      title={paymentText('noteTitle')}
      confirmLabel={paymentText('addNote')}
      command={command}
      isFailureAtField={error !== undefined}
      onClose={onClose}
    >
      <TextField
        label={paymentText('note')}
        help={paymentText('noteHelp')}
        maxLength={ALERT_NOTE_MAX}
        data-autofocus
        value={note}
        error={error}
        onChange={(event) => setNote(event.target.value)}
      />
    </ConfirmDialog>
  );
};

/** Until when the bank takes an answer, or when the dispute was over. */
const noteOf = ({ openedAt, evidenceDueAt, closedAt }: PaymentDispute): string => {
  if (closedAt !== null) return paymentText('closedOn', { day: shortDay(closedAt) });
  if (evidenceDueAt === null) return paymentText('openedOn', { day: shortDay(openedAt) });
  const isOver = Date.parse(evidenceDueAt) < now();
  return paymentText(isOver ? 'dueOver' : 'dueBy', { day: shortDay(evidenceDueAt) });
};

const DisputeLine = ({ invoiceId, dispute }: { invoiceId: string; dispute: PaymentDispute }): ReactNode => {
  const { links } = useConfig();
  const [isOpen, setIsOpen] = useState(false);
  const close = useCallback(() => setIsOpen(false), []);
  const { disputeId, status } = dispute;
  const title = paymentText('disputeTitle', {
    amount: money(dispute.amount, dispute.currency),
    reason: dispute.reason.replaceAll('_', ' '),
  });
  return (
    <Line title={title} note={noteOf(dispute)} isMarked={dispute.closedAt === null}>
      <ExternalLink className="button" href={providerPage(links.provider, 'disputes', disputeId)}>
        {paymentText(status.endsWith('needs_response') ? 'answer' : 'seeDispute')}
        <ArrowUpRight {...ICON} />
      </ExternalLink>
      <May permission="payments.refund">
        <Button onClick={() => setIsOpen(true)}>{paymentText('addNote')}</Button>
      </May>
      {isOpen && <NoteDialog invoiceId={invoiceId} disputeId={disputeId} onClose={close} />}
    </Line>
  );
};

/** The disputes of a payment, which are answered at the provider. Nothing without one. */
export const DisputesPanel = ({ payment: { invoiceId, disputes } }: { payment: PaymentDetail }): ReactNode =>
  disputes.length > 0 && (
    <Panel title={paymentText('disputes')} isBare>
      <Lines>
        {disputes.map((dispute) => (
          <DisputeLine key={dispute.disputeId} invoiceId={invoiceId} dispute={dispute} />
        ))}
      </Lines>
    </Panel>
  );
