// Changes between paying by the month and by the year: what is due now is calculated by the provider, shown, and confirmed.
import type { IntervalPreview, SubscriptionView } from '@shortlist/contracts/api/billing';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import type { Interval } from '@shortlist/contracts/plan';
import { type ReactNode, useEffect, useState } from 'react';
import { failureOf } from '../../lib/api/api-error.ts';
import { call } from '../../lib/api/call.ts';
import { useConfig } from '../../lib/data/use-config.ts';
import { revalidate } from '../../lib/data/use-query.ts';
import { shortDay } from '../../lib/dates.ts';
import { money } from '../../lib/money.ts';
import { paths } from '../../lib/paths.ts';
import { useAppDispatch, useUserToken } from '../../lib/state/hooks.tsx';
import { toasts } from '../../lib/state/page.ts';
import { useCommand } from '../../lib/state/use-command.ts';
import { type DisplayedState, isTrial } from '../../lib/subscription.rules.ts';
import { billingText } from '../../messages/billing.ts';
import { Alert, FailureAlert } from '../../ui/alert.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx';
import { Bar, Skeleton } from '../../ui/states.tsx';

/** What the provider would charge, read when the dialog opens and again when it has changed. */
const usePreview = (interval: Interval) => {
  const token = useUserToken();
  const [preview, setPreview] = useState<IntervalPreview | null>(null);
  const reading = useCommand(async (): Promise<void> => {
    const { data } = await call(publicEndpoints.previewInterval, { interval }, { token });
    setPreview(data);
  });
  const { run } = reading;
  useEffect(() => void run(), [run]);
  return { preview, failure: reading.failure, read: run, forget: () => setPreview(null) };
};

const inCurrency = ({ currency }: IntervalPreview, amount: number): string => money(amount, currency);

/** How the amount of a year comes about. */
const sumOf = (preview: IntervalPreview): string => {
  const { price, credit, tax } = preview;
  const values = {
    price: inCurrency(preview, price),
    credit: inCurrency(preview, credit),
    tax: inCurrency(preview, tax),
  };
  if (credit === 0) return billingText(tax === 0 ? 'yearFull' : 'yearFullTax', values);
  return billingText(tax === 0 ? 'yearCredit' : 'yearCreditTax', values);
};

const PreviewText = ({ preview }: { preview: IntervalPreview }): ReactNode => {
  const { interval, amount, price, startsAt, nextChargeAt } = preview;
  if (interval === 'month')
    return <p>{billingText('monthText', { day: shortDay(startsAt), price: inCurrency(preview, price) })}</p>;
  const values = {
    amount: inCurrency(preview, amount),
    price: inCurrency(preview, price),
    day: shortDay(nextChargeAt),
  };
  return (
    <>
      <p>{billingText('yearText', values)}</p>
      <p className="small muted num">{sumOf(preview)}</p>
    </>
  );
};

const confirmLabel = (preview: IntervalPreview): string =>
  preview.interval === 'month'
    ? billingText('monthConfirm', { day: shortDay(preview.startsAt) })
    : billingText('yearConfirm', { amount: inCurrency(preview, preview.amount) });

const doneText = ({ interval, startsAt }: IntervalPreview): string =>
  interval === 'month' ? billingText('monthDone', { day: shortDay(startsAt) }) : billingText('yearDone');

/** Sends back what the user has seen. If it has changed since, the new amounts are read, to be confirmed anew. */
const useConfirm = ({ read, forget }: ReturnType<typeof usePreview>, onClose: () => void) => {
  const token = useUserToken();
  const dispatch = useAppDispatch();
  const [isOutdated, setIsOutdated] = useState(false);
  const command = useCommand(async (preview: IntervalPreview): Promise<void> => {
    const { interval, amount, currency, prorationAt } = preview;
    const confirmed = { interval, amount, currency, prorationAt };
    try {
      await call(publicEndpoints.changeInterval, confirmed, { token });
    } catch (error) {
      if (failureOf(error).code !== 'billing.change_outdated') throw error;
      setIsOutdated(true);
      forget();
      await read();
      return;
    } finally {
      void revalidate(['subscription']);
    }
    dispatch(toasts.added(doneText(preview)));
    onClose();
  });
  return { isOutdated, ...command };
};

/** A payment that did not go through needs another card, or the confirmation of the bank, which the portal asks for. */
const Unpaid = (): ReactNode => (
  <div>
    <ButtonLink to={paths.changeCard}>{billingText('changeCard')}</ButtonLink>
  </div>
);

const IntervalDialog = ({ interval, onClose }: { interval: Interval; onClose: () => void }): ReactNode => {
  const source = usePreview(interval);
  const { preview, failure: notRead } = source;
  const { isOutdated, isBusy, failure, run } = useConfirm(source, onClose);
  return (
    <Dialog
      title={billingText(interval === 'year' ? 'yearTitle' : 'monthTitle')}
      onClose={onClose}
      end={
        <>
          <Button data-autofocus onClick={onClose}>
            {billingText('notNow')}
          </Button>
          {preview !== null && (
            <Button variant="primary" isBusy={isBusy} onClick={() => void run(preview)}>
              {confirmLabel(preview)}
            </Button>
          )}
          {notRead !== null && (
            <Button variant="primary" onClick={() => void source.read()}>
              {billingText('tryAgain')}
            </Button>
          )}
        </>
      }
    >
      <div className="stack" aria-live="polite">
        {isOutdated && <Alert tone="warn">{billingText('notCurrent')}</Alert>}
        {preview !== null && <PreviewText preview={preview} />}
        {preview === null && notRead === null && (
          <Skeleton label={billingText('changeLoading')}>
            <Bar height="3lh" />
          </Skeleton>
        )}
        {notRead !== null && <FailureAlert failure={notRead} />}
        {failure !== null && <FailureAlert failure={failure} />}
        {failure?.code === 'billing.change_unpaid' && <Unpaid />}
      </div>
    </Dialog>
  );
};

const KeepDialog = ({ view, onClose }: { view: SubscriptionView; onClose: () => void }): ReactNode => {
  const token = useUserToken();
  const dispatch = useAppDispatch();
  const command = useCommand(async (): Promise<void> => {
    await call(publicEndpoints.keepInterval, {}, { token }).finally(() => void revalidate(['subscription']));
    dispatch(toasts.added(billingText('keepDone')));
    onClose();
  });
  return (
    <ConfirmDialog
      title={billingText('keepTitle')}
      cancelLabel={billingText('notNow')}
      confirmLabel={billingText('keepYearly')}
      command={command}
      onClose={onClose}
    >
      <p>{billingText('keepText', { day: view.periodEnd === null ? '' : shortDay(view.periodEnd) })}</p>
    </ConfirmDialog>
  );
};

type Change = Interval | 'keep';

/** Null where the product offers no change: the plan is not simply active, or no year is sold. */
const changeOf = (state: DisplayedState, view: SubscriptionView, isYearSold: boolean): Change | null => {
  const { interval = 'month', nextInterval = null, card } = view;
  if (state !== 'active' || isTrial(view)) return null;
  if (nextInterval !== null) return 'keep';
  if (!card) return null; // other methods of payment confirm days later
  if (interval === 'year') return 'month';
  return isYearSold ? 'year' : null;
};

const LABELS = { year: 'payYearly', month: 'payMonthly', keep: 'keepYearly' } as const;

export const ChangeInterval = ({
  state,
  view,
}: {
  state: DisplayedState;
  view: SubscriptionView;
}): ReactNode => {
  const { sellsYears } = useConfig();
  // The dialog keeps what it asks about, while the page behind it already shows the result.
  const [open, setOpen] = useState<{ change: Change; view: SubscriptionView } | null>(null);
  const change = changeOf(state, view, sellsYears);
  const close = (): void => setOpen(null);
  return (
    <>
      {change !== null && (
        <Button onClick={() => setOpen({ change, view })}>{billingText(LABELS[change])}</Button>
      )}
      {open?.change === 'keep' && <KeepDialog view={open.view} onClose={close} />}
      {open !== null && open.change !== 'keep' && <IntervalDialog interval={open.change} onClose={close} />}
    </>
  );
};
