import type { ReactNode } from 'react';
import { NamePanel } from '../../features/admin-team/name-panel.tsx';
import { PasskeyLines } from '../../features/security/passkey-lines.tsx';
import { PasswordLine } from '../../features/security/change-password.tsx';
import { SecuritySkeleton, TwoStepPanel, useFactors } from '../../features/security/two-step-panel.tsx';
import { useOwnAdmin } from '../../lib/data/use-account.ts';
import { useAppSelector, usePageInfo } from '../../lib/state/hooks.tsx';
import { shellText } from '../../messages/shell.ts';
import { headingText } from '../../messages/headings.ts';
import { securityText, twoStepText } from '../../messages/security.ts';
import { Alert } from '../../ui/alert.tsx';
import { Lines, Panel } from '../../ui/panel.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { isSettled } from '../../ui/query-view.tsx';

const TITLE = shellText('security');
const DESCRIPTION = headingText('adminSecurityNote');

/** Whether the height of every panel but the last is known. */
const useArePanelsSettled = (): boolean => [useOwnAdmin(), useFactors()].every(isSettled);

/** The admin's own second factors; an admin who must have one and has none gets no further than this page. */
const AdminSecurityPage = (): ReactNode => {
  usePageInfo({ pageName: 'admin-security', pageTitle: TITLE, pageDescription: DESCRIPTION });
  const needsSecondFactor = useAppSelector((state) => state.sessions.admin.needsSecondFactor);
  const arePanelsSettled = useArePanelsSettled();
  return (
    <>
      <PageHeader title={TITLE} description={DESCRIPTION} />
      <div className="measure">
        {!arePanelsSettled && <SecuritySkeleton />}
        {/* The panels load at the same time, hidden until none moves another. */}
        <div hidden={!arePanelsSettled}>
          <div className="stack sheets">
            {needsSecondFactor && <Alert tone="warn">{twoStepText('required')}</Alert>}
            {!needsSecondFactor && <NamePanel />}
            <TwoStepPanel />
            <Panel title={securityText('signIn')} isBare>
              <Lines>
                {!needsSecondFactor && <PasswordLine />}
                <PasskeyLines />
              </Lines>
            </Panel>
          </div>
        </div>
      </div>
    </>
  );
};

export default AdminSecurityPage;
