import type { ReactNode } from 'react';
import { PasskeyLines } from '../../features/security/passkey-lines.tsx';
import { PasswordLine } from '../../features/security/password-line.tsx';
import { TwoStepPanel } from '../../features/security/two-step-panel.tsx';
import { useAppSelector } from '../../lib/state/hooks.ts';
import { usePageInfo } from '../../lib/state/use-page-info.ts';
import { securityText } from '../../messages/security.ts';
import { twoStepText } from '../../messages/two-step.ts';
import { Alert } from '../../ui/alert.tsx';
import { Lines } from '../../ui/lines.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Panel } from '../../ui/panel.tsx';

const TITLE = securityText('title');
const DESCRIPTION = twoStepText('adminDescription');

/** The admin's own second factors; an admin who must have one and has none gets no further than this page. */
const AdminSecurityPage = (): ReactNode => {
  usePageInfo({ pageName: 'admin-security', pageTitle: TITLE, pageDescripttion: DESCRIPTION });
  const needsSecondFactor = useAppSelector((state) => state.adminAuth.needsSecondFactor);
  return (
    <>
      <PageHeader title={TITLE} description={DESCRIPTION} />
      <div className="measure stack sheets">
        {needsSecondFactor && <Alert tone="warn">{twoStepText('required')}</Alert>}
        <TwoStepPanel />
        <Panel title={securityText('signIn')} isBare>
          <Lines>
            {!needsSecondFactor && <PasswordLine />}
            <PasskeyLines />
          </Lines>
        </Panel>
      </div>
    </>
  );
};

export default AdminSecurityPage;
