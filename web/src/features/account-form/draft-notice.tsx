import type { ReactNode } from 'react';
import { accountFormText } from '../../messages/account-form.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { focusHeading } from '../../ui/focus-heading.ts';

/** Announces that the form contains a restored draft. */
export const DraftNotice = ({ onDiscard }: { onDiscard: () => void }): ReactNode => (
  <Alert>
    <div className="stack stack-s">
      <p>{accountFormText('restored')}</p>
      <Button
        isSmall
        onClick={() => {
          focusHeading();
          onDiscard();
        }}
      >
        {accountFormText('discard')}
      </Button>
    </div>
  </Alert>
);
