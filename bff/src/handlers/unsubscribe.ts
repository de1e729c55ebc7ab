import { oneClickUnsubscribe, unsubscribeEndpoints as operations } from '@shortlist/contracts/api/email';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { composed, type Route } from '../http/endpoint.ts';
import { ANONYMOUS, type Services } from '../services.ts';

/** The link in mails that can be turned off. Whose mails they are is in its token, and no session changes it. */
export const unsubscribeEndpoints = ({ worker }: Services): Route[] => {
  const unsubscribe = async (token: string): Promise<{ message: string }> => {
    await worker(operations.unsubscribe, { token }, { caller: ANONYMOUS });
    return { message: 'unsubscribed' };
  };
  return [
    composed(publicEndpoints.unsubscribe, ({ input }) => unsubscribe(input.token)),
    composed(oneClickUnsubscribe, ({ input }) => unsubscribe(input.token)),
  ];
};
