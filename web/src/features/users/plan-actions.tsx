import type { UserView } from '@shortlist/contracts/api/public';
import ArrowUpRight from 'lucide-react/icons/arrow-up-right';
import { useState, type ReactNode } from 'react';
import { useConfig } from '../../lib/data/use-config.ts';
import { customerPage } from '../../lib/provider-link.ts';
import { May } from '../../lib/state/may.tsx';
import { useAppSelector } from '../../lib/state/hooks.ts';
import { useUserCommand } from '../../lib/state/use-user-command.ts';
import { usersText } from '../../messages/users.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { ExternalLink } from '../../ui/external-link.tsx';
import { UnsubscribeDialog } from './unsubscribe-dialog.tsx';

const GrantButton = ({ user }: { user: UserView }): ReactNode => {
  const { isBusy, failure, run, reset } = useUserCommand('grant');
  return (
    <>
      {failure !== null && (
        <Alert tone="bad" onDismiss={reset}>
          {failure.message}
        </Alert>
      )}
      <Button className="is-wide" isBusy={isBusy} onClick={() => run({ id: user.id })}>
        {usersText('grant')}
      </Button>
    </>
  );
};

const UnsubscribeButton = ({ user }: { user: UserView }): ReactNode => {
  const [isOpen, setIsOpen] = useState(false);
  const isBusy = useAppSelector((state) => state.userCommands.revoke.busy);
  return (
    <>
      <Button className="is-wide is-destructive" isBusy={isBusy} onClick={() => setIsOpen(true)}>
        {usersText('unsubscribe')}
      </Button>
      {isOpen && <UnsubscribeDialog user={user} onClose={() => setIsOpen(false)} />}
    </>
  );
};

const CustomerLink = ({ customerId }: { customerId: string }): ReactNode => {
  const { links } = useConfig();
  return (
    <ExternalLink className="button is-wide" href={customerPage(links.provider, customerId)}>
      {usersText('openCustomer')}
      <ArrowUpRight size={18} strokeWidth={1.75} aria-hidden="true" />
    </ExternalLink>
  );
};

/** Grants or ends premium, and leads to the user's customer at the payment provider. */
export const PlanActions = ({ user, isPremium }: { user: UserView; isPremium: boolean }): ReactNode => (
  <>
    <May permission={isPremium ? 'plan.revoke' : 'plan.grant'}>
      {isPremium ? <UnsubscribeButton user={user} /> : <GrantButton user={user} />}
    </May>
    {user.stripe_customer_id !== null && <CustomerLink customerId={user.stripe_customer_id} />}
  </>
);
