import { Email } from '../../ui/inline.tsx';
import { asciiEmail } from '@shortlist/contracts/unicode';
import type { DeletionRequest, SubscriptionChoice } from '@shortlist/contracts/api/privacy';
import type { UserView } from '@shortlist/contracts/api/profile';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { DELETION_DAYS, DELETION_REASON_MAX } from '@shortlist/contracts/limits';
import { type ReactNode, useCallback, useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { shortDay, now } from '../../lib/dates.ts';
import { useSubscription } from '../../lib/data/use-plan.ts';
import { money } from '../../lib/money.ts';
import { sessions } from '../../lib/state/sessions.ts';
import { useAppDispatch, useUserToken } from '../../lib/state/hooks.tsx';
import { useCommand } from '../../lib/state/use-command.ts';
import { leavingText, privacyText } from '../../messages/privacy.ts';
import { FailureAlert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Pick } from '../../ui/choices.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { Panel } from '../../ui/panel.tsx';
import { canKeep, timelineOf } from './deletion-timeline.ts';

/** The request ends every session, this one too. */
const useRequest = () => {
  const token = useUserToken();
  const dispatch = useAppDispatch();
  return useCommand(async (request: DeletionRequest): Promise<void> => {
    const { data } = await call(publicEndpoints.requestDeletion, request, { token });
    if (token !== null) dispatch(sessions.ended('user', { token, reason: 'logout', leavesAt: data.dueAt }));
  });
};

const Timeline = ({ rows }: { rows: readonly (readonly [string, string])[] }): ReactNode => (
  <dl className="deletion-timeline">
    {rows.map(([when, what]) => (
      <div key={when}>
        <dt>{when}</dt>
        <dd>{what}</dd>
      </div>
    ))}
  </dl>
);

const choicesUntil = (day: string) =>
  [
    { value: 'keep', label: privacyText('keep', { day }), note: privacyText('keepNote') },
    { value: 'end_now', label: privacyText('endNow'), note: privacyText('endNowNote') },
  ] as const;

const useAmount = (): string => {
  const { data } = useSubscription();
  return data === undefined ? '' : money(data.price.amount, data.price.currency);
};

type TypedEmailProps = {
  email: string;
  error: string | undefined;
  value: string;
  onType: (typed: string) => void;
};

const TypedEmail = ({ email, error, value, onType }: TypedEmailProps): ReactNode => (
  <TextField
    label={privacyText('typeEmail')}
    help={privacyText.rich<ReactNode>('typeEmailHelp', { email: <Email key="email">{email}</Email> })}
    error={error}
    type="email"
    autoComplete="off"
    autoCapitalize="none"
    spellCheck={false}
    data-autofocus
    value={value}
    onChange={(event) => onType(event.target.value)}
  />
);

/** What the user chooses and types. */
const useAnswers = ({ subscription, email }: UserView) => {
  const [choice, setChoice] = useState<SubscriptionChoice>(canKeep(subscription) ? 'keep' : 'end_now');
  const [typed, setTyped] = useState('');
  const [reason, setReason] = useState('');
  const isConfirmed = asciiEmail(typed) === asciiEmail(email);
  const request: DeletionRequest = { email: typed.trim(), subscription: choice, reason: reason.trim() };
  return { choice, setChoice, typed, setTyped, reason, setReason, isConfirmed, request };
};

type DeleteDialogProps = { user: UserView; onClose: () => void };

/** Says what a deletion means, and requests it once the user has typed the address of the account. */
const DeleteDialog = ({ user, onClose }: DeleteDialogProps): ReactNode => {
  const { subscription: plan, email } = user;
  const { choice, setChoice, typed, setTyped, reason, setReason, isConfirmed, request } = useAnswers(user);
  const amount = useAmount();
  const { isBusy, failure, run } = useRequest();
  const emailError = failure?.fields['email'];
  const end = (
    <>
      <Button onClick={onClose}>{leavingText('keep')}</Button>
      <Button variant="bad" disabled={!isConfirmed} isBusy={isBusy} onClick={() => void run(request)}>
        {privacyText('deleteAccount')}
      </Button>
    </>
  );
  return (
    <Dialog title={privacyText('deleteTitle')} isWide onClose={onClose} end={end}>
      <div className="stack">
        {canKeep(plan) && (
          <Pick
            legend={privacyText('subscription')}
            options={choicesUntil(shortDay(plan.premiumUntil ?? ''))}
            value={choice}
            onChange={setChoice}
          />
        )}
        <Timeline rows={timelineOf({ plan, choice, amount, now: new Date(now()).toISOString() })} />
        <TextField
          label={privacyText('reason')}
          help={privacyText('reasonHelp')}
          qualifier={privacyText('optional')}
          maxLength={DELETION_REASON_MAX}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
        <TypedEmail email={email} error={emailError} value={typed} onType={setTyped} />
        {failure !== null && emailError === undefined && <FailureAlert failure={failure} />}
      </div>
    </Dialog>
  );
};

/** The deletion of the account. */
export const DeletePanel = ({ user }: { user: UserView }): ReactNode => {
  const [isOpen, setIsOpen] = useState(false);
  const handleClose = useCallback(() => setIsOpen(false), []);
  return (
    <Panel title={privacyText('deleteAccount')} isBare>
      <div className="panel-body">
        <p>{privacyText('deleteWhat', { days: DELETION_DAYS })}</p>
      </div>
      <div className="panel-actions">
        <Button className="is-destructive" onClick={() => setIsOpen(true)}>
          {privacyText('deleteAccount')}
        </Button>
      </div>
      {isOpen && <DeleteDialog user={user} onClose={handleClose} />}
    </Panel>
  );
};
