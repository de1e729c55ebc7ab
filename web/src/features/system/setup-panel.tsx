import { publicEndpoints } from '@shortlist/contracts/api/public';
import { minutes } from '@shortlist/contracts/durations';
import type { StripeCheck, StripeSetup } from '@shortlist/contracts/api/billing';
import type { ReactNode } from 'react';
import { shortTime, now } from '../../lib/dates.ts';
import { useQuery } from '../../lib/data/use-query.ts';
import { systemText } from '../../messages/system.ts';
import { Panel } from '../../ui/panel.tsx';
import { currentChecks } from './system.rules.ts';
import { ICON } from '../../ui/inline.tsx';
import CircleAlert from 'lucide-react/icons/circle-alert';
import CircleCheck from 'lucide-react/icons/circle-check';
import CircleHelp from 'lucide-react/icons/circle-question-mark';

/** Billing repeats its checks every few minutes. */
const REFRESH_MS = minutes(1);

export const useSystem = () =>
  useQuery('system', publicEndpoints.system, {}, { refreshInterval: REFRESH_MS });

type StateProps = { ok: boolean | null; unknownLabel: string };

const State = ({ ok, unknownLabel }: StateProps): ReactNode => {
  if (ok === true)
    return (
      <span className="check-state is-good">
        <CircleCheck {...ICON} />
        {systemText('ok')}
      </span>
    );
  if (ok === false)
    return (
      <span className="check-state is-bad">
        <CircleAlert {...ICON} />
        {systemText('needsAttention')}
      </span>
    );
  return (
    <span className="check-state">
      <CircleHelp {...ICON} />
      {unknownLabel}
    </span>
  );
};

const Check = ({ check, unknownLabel }: { check: StripeCheck; unknownLabel: string }): ReactNode => (
  <li>
    <div>
      <strong>{systemText(check.name)}</strong>
      <p className="small muted">{check.detail}</p>
    </div>
    <State ok={check.ok} unknownLabel={unknownLabel} />
  </li>
);

// When nothing is known, the time says since when; otherwise a single check has no result, as its text explains.
const unknownLabelOf = (checks: StripeCheck[], checkedAt: string | null): string => {
  if (checkedAt === null) return systemText('neverChecked');
  return checks.every(({ ok }) => ok === null)
    ? systemText('outdated', { time: shortTime(checkedAt) })
    : systemText('unknown');
};

const noteOf = ({ checkedAt }: StripeSetup): string =>
  checkedAt === null ? systemText('neverChecked') : systemText('checkedOn', { time: shortTime(checkedAt) });

const ORDER = [false, null, true];

/** The checks of the account at Stripe, what is wrong first. */
export const SetupPanel = ({ setup }: { setup: StripeSetup }): ReactNode => {
  const checks = currentChecks(setup, now()).toSorted(
    (one, other) => ORDER.indexOf(one.ok) - ORDER.indexOf(other.ok),
  );
  const unknownLabel = unknownLabelOf(checks, setup.checkedAt);
  return (
    <Panel title={systemText('settings')} note={noteOf(setup)} isBare>
      <ul className="check-list">
        {checks.map((check) => (
          <Check key={check.name} check={check} unknownLabel={unknownLabel} />
        ))}
      </ul>
    </Panel>
  );
};
