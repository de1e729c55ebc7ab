import {
  exampleMailEndpoints,
  oneClickUnsubscribe,
  unsubscribeEndpoints,
} from '@shortlist/contracts/api/email';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { composed, type Route } from '../http/endpoint.ts';
import type { Limits } from '../limits/limits.ts';
import { ANONYMOUS, type Services } from '../services.ts';

type Parts = { services: Services; limits: Limits };

/** The link in mails that can be turned off, and the examples of mails that an admin has sent. */
export const mailEndpoints = ({ services: { worker }, limits }: Parts): Route[] => {
  // Whose mails they are is in the token, and no session changes it.
  const unsubscribe = async (token: string): Promise<{ message: string }> => {
    await worker(unsubscribeEndpoints.unsubscribe, { token }, { caller: ANONYMOUS });
    return { message: 'unsubscribed' };
  };
  return [
    composed(publicEndpoints.unsubscribe, ({ input }) => unsubscribe(input.token)),
    composed(oneClickUnsubscribe, ({ input }) => unsubscribe(input.token)),

    composed(publicEndpoints.sendExampleMail, async ({ input, caller, userId }) => {
      await limits.exampleMails.consume(userId);
      await worker(exampleMailEndpoints.sendExampleMail, input, { caller });
      return { message: 'requested' };
    }),
  ];
};
