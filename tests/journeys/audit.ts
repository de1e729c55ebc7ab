import type { Installation } from '@shortlist/local/system';
import { audit } from '../../tools/audit/audit.ts';
import type { Breach } from '../../tools/audit/sources.ts';

/** Checks every invariant of a running system. */
export const auditSystem = ({ backing, sandboxUrl, secrets }: Installation): Promise<Breach[]> =>
  audit({ ...backing, sandboxUrl, stripeKey: secrets.STRIPE_SECRET_KEY });
