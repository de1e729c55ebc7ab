import { bucketEndpoints } from '@shortlist/contracts/api/credit-buckets';
import { profileEndpoints } from '@shortlist/contracts/api/profile';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { composed, type Route } from '../http/endpoint.ts';
import type { Services } from '../upstream/services.ts';

/** Gives a user credits. credits knows nobody before their first charge, so profile says whether there is such a user. */
export const creditGrantEndpoint = ({ profile, credits }: Services): Route =>
  composed(publicEndpoints.grantCredits, async ({ input, caller }) => {
    await profile(profileEndpoints.getProfile, { id: input.userId }, { caller });
    return credits(bucketEndpoints.grantCredits, input, { caller });
  });
