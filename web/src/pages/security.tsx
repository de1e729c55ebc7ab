import type { ReactNode } from 'react';
import {
  DevicesPanel,
  TrustedDevicesPanel,
  useDevices,
  useTrustedDevices,
} from '../features/security/devices-panel.tsx';
import { PasskeyLines } from '../features/security/passkey-lines.tsx';
import { PasswordLine } from '../features/security/change-password.tsx';
import { EmailLines } from '../features/security/email-lines.tsx';
import { useUser } from '../lib/data/use-account.ts';
import { Lines, Panel } from '../ui/panel.tsx';
import { SecuritySkeleton, TwoStepPanel, useFactors } from '../features/security/two-step-panel.tsx';
import { SignInsPanel } from '../features/security/sign-ins-panel.tsx';
import { usePageInfo } from '../lib/state/hooks.tsx';
import { shellText } from '../messages/shell.ts';
import { headingText } from '../messages/headings.ts';
import { securityText } from '../messages/security.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { isSettled, QueryView } from '../ui/query-view.tsx';

const TITLE = shellText('security');
const DESCRIPTION = headingText('securityNote');

/** Whether the height of every panel but the last is known. */
const useArePanelsSettled = (): boolean =>
  [useUser(), useFactors(), useDevices(), useTrustedDevices()].every(isSettled);

type SignInPanelProps = { email: string; isVisible: boolean };

const SignInPanel = ({ email, isVisible }: SignInPanelProps): ReactNode => (
  <Panel title={securityText('signIn')} isBare>
    <Lines>
      <EmailLines email={email} isVisible={isVisible} />
      <PasswordLine />
      <PasskeyLines />
    </Lines>
  </Panel>
);

const SecurityPage = (): ReactNode => {
  const user = useUser();
  const arePanelsSettled = useArePanelsSettled();
  usePageInfo({ pageName: 'security', pageTitle: TITLE, pageDescription: DESCRIPTION });
  return (
    <>
      <PageHeader title={TITLE} description={DESCRIPTION} />
      {!arePanelsSettled && (
        <div className="panel-columns">
          <SecuritySkeleton />
        </div>
      )}
      {/* The panels load at the same time, hidden until none moves another. */}
      <div hidden={!arePanelsSettled}>
        <div className="panel-columns">
          <div className="stack sheets">
            <QueryView query={user} skeleton={null} errorTitle={securityText('failed')}>
              {({ email }) => <SignInPanel email={email} isVisible={arePanelsSettled} />}
            </QueryView>
            <TwoStepPanel />
          </div>
          <div className="stack sheets">
            <DevicesPanel />
            <TrustedDevicesPanel />
            <SignInsPanel />
          </div>
        </div>
      </div>
    </>
  );
};

export default SecurityPage;
