import type { ReactNode } from 'react';
import { paths } from '../../lib/paths.ts';
import { securityText } from '../../messages/security.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Line, Lines } from '../../ui/lines.tsx';
import { Panel } from '../../ui/panel.tsx';

export const SignInPanel = ({ email, children }: { email: string; children?: ReactNode }): ReactNode => (
  <Panel title={securityText('signIn')} isBare>
    <Lines>
      <Line title={securityText('email')} note={<bdi>{email}</bdi>} />
      <Line title={securityText('password')} note={securityText('passwordNote')}>
        <ButtonLink to={paths.password} aria-label={securityText('changePassword')}>
          {securityText('change')}
        </ButtonLink>
      </Line>
      {children}
    </Lines>
  </Panel>
);
