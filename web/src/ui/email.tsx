import type { ReactNode } from 'react';

/** An e-mail address in a sentence, which keeps its direction. */
export const Email = ({ children }: { children: string }): ReactNode => (
  <bdi>
    <strong>{children}</strong>
  </bdi>
);
