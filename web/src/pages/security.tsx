import type { ReactNode } from 'react';
import { DevicesPanel } from '../features/security/devices-panel.tsx';
import { PasskeyLines } from '../features/security/passkey-lines.tsx';
import { SignInPanel } from '../features/security/sign-in-panel.tsx';
import { SignInsPanel } from '../features/security/sign-ins-panel.tsx';
import { TwoStepPanel } from '../features/security/two-step-panel.tsx';
import { useUser } from '../lib/data/use-user.ts';
import { usePageInfo } from '../lib/state/use-page-info.ts';
import { securityText } from '../messages/security.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { Skeleton, SkeletonPanel } from '../ui/skeleton.tsx';

const TITLE = securityText('title');
const DESCRIPTION = securityText('description');

const SignInSkeleton = (): ReactNode => (
  <Skeleton label={securityText('loading')}>
    <SkeletonPanel lines={2} />
  </Skeleton>
);

const SecurityPage = (): ReactNode => {
  usePageInfo({ pageName: 'security', pageTitle: TITLE, pageDescripttion: DESCRIPTION });
  return (
    <>
      <PageHeader title={TITLE} description={DESCRIPTION} />
      <div className="measure stack sheets">
        <QueryView query={useUser()} skeleton={<SignInSkeleton />} errorTitle={securityText('failed')}>
          {({ email }) => (
            <SignInPanel email={email}>
              <PasskeyLines />
            </SignInPanel>
          )}
        </QueryView>
        <TwoStepPanel />
        <DevicesPanel />
        <SignInsPanel />
      </div>
    </>
  );
};

export default SecurityPage;
