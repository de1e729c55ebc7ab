import type { ExampleMail } from '@shortlist/contracts/api/email';
import type { ReactNode } from 'react';
import { paths } from '../../lib/paths.ts';
import { emailsText } from '../../messages/emails.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Badge } from '../../ui/inline.tsx';
import { Line, Lines, Panel } from '../../ui/panel.tsx';

/** Every email by its subject, with the name of its template. */
export const ExampleMailList = ({ mails }: { mails: ExampleMail[] }): ReactNode => (
  <Panel title={emailsText('all')} isBare>
    <Lines>
      {mails.map(({ name, subject, canTurnOff }) => (
        <Line
          key={name}
          title={
            <>
              {subject} {canTurnOff && <Badge>{emailsText('canTurnOff')}</Badge>}
            </>
          }
          note={<code>{name}</code>}
        >
          <ButtonLink isSmall aria-label={emailsText('show', { subject })} to={paths.adminEmail(name)}>
            {emailsText('open')}
          </ButtonLink>
        </Line>
      ))}
    </Lines>
  </Panel>
);
