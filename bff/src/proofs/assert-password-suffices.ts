import { factorEndpoints } from '@shortlist/contracts/api/factors';
import type { Clock } from '@shortlist/kit/process/clock';
import { assertRecent } from '../http/access.ts';
import type { Session } from '../session/session.ts';
import { SERVICE_CALLER, type Services } from '../upstream/services.ts';
import { type AdminTwoStep, reauthenticationOf } from './second-step.rules.ts';

type Parts = { services: Services; proofs: { adminTwoStep: AdminTwoStep }; clock: Clock };

/**
 * For a request that contains the current password, which is proof enough unless two-step verification is on, when it is none for a
 * reauthentication either. Throws `session.reauthentication_required` where it is not, and the session has no recent proof.
 */
export const assertPasswordSuffices = async (
  { services, proofs, clock }: Parts,
  session: Session,
): Promise<void> => {
  const { userId, role } = session;
  const { data } = await services.identity(
    factorEndpoints.listCredentials,
    { userId },
    {
      caller: SERVICE_CALLER,
    },
  );
  const methods = reauthenticationOf({ role, factors: data.factors }, proofs.adminTwoStep);
  if (!methods.includes('password')) assertRecent(session, clock);
};
