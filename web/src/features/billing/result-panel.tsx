import Check from 'lucide-react/icons/check';
import { type ReactNode, useEffect } from 'react';
import { useLocation } from 'react-router-dom';
import { LOGIN_REQUIRED, paths } from '../../lib/paths.ts';
import { useAppDispatch } from '../../lib/state/hooks.tsx';
import { page } from '../../lib/state/page.ts';
import { billingText } from '../../messages/billing.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Heading } from '../../ui/page-header.tsx';

/** What becomes of a payment, on the page to which the user returns from the provider. */
export const ResultPanel = ({ children }: { children: ReactNode }): ReactNode => (
  <section className="payment-result stack">{children}</section>
);

export const DoneMark = (): ReactNode => (
  <span className="done-mark" aria-hidden="true">
    <Check size={18} strokeWidth={1.75} />
  </span>
);

export const Processing = (): ReactNode => (
  <div role="status" className="stack">
    <span className="spinner is-large" aria-hidden="true" />
    <Heading>{billingText('processing')}</Heading>
    <p className="muted">{billingText('processingText')}</p>
  </div>
);

/**
 * The session ended during the checkout. The page claims nothing about the payment, which may be unpaid or another user's. It
 * keeps the address with its xsl, and confirms the payment after the log-in.
 */
export const LoggedOut = (): ReactNode => {
  const { pathname, search } = useLocation();
  const dispatch = useAppDispatch();
  useEffect(() => {
    dispatch(page.lastPageSet(pathname + search));
  }, [dispatch, pathname, search]);
  return (
    <>
      <Heading>{billingText('logInTitle')}</Heading>
      <p>{billingText('logInText')}</p>
      <ButtonLink variant="primary" to={paths.login} state={LOGIN_REQUIRED}>
        {billingText('logIn')}
      </ButtonLink>
    </>
  );
};
