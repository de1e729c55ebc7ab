import type { ReactNode } from 'react';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { focusHeading } from '../../ui/focus-heading.ts';

/** Announces that the form contains a restored draft. */
export const DraftNotice = ({ onDiscard }: { onDiscard: () => void }): ReactNode => (
  <Alert>
    <div className="stack stack-s">
      <p>What you had typed and not saved is here again. A password or picture has to be chosen anew.</p>
      <Button
        isSmall
        onClick={() => {
          focusHeading();
          onDiscard();
        }}
      >
        Discard it
      </Button>
    </div>
  </Alert>
);
