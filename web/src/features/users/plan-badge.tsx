import type { Plan } from '@shortlist/contracts/plan';
import type { ReactNode } from 'react';
import { usersText } from '../../messages/users.ts';
import { Badge } from '../../ui/inline.tsx';

/** For display, every plan but free is premium. Source: docs/product.md, S7. */
export const PlanBadge = ({ plan }: { plan: Plan }): ReactNode => (
  <Badge tone={plan === 'free' ? undefined : 'premium'}>
    {usersText(plan === 'free' ? 'free' : 'premium')}
  </Badge>
);
