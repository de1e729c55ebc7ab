import { exampleMailEndpoints } from '@shortlist/contracts/api/email';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { composed, type Route } from '../http/endpoint.ts';
import type { Limits } from '../limits/limits.ts';
import type { Services } from '../services.ts';

type Parts = { services: Services; limits: Limits };

/** Sends an email with the values of an example to the admin of the session. */
export const exampleMailEndpoint = ({ services, limits }: Parts): Route =>
  composed(publicEndpoints.sendExampleMail, async ({ input, caller, userId }) => {
    await limits.exampleMails.consume(userId);
    await services.worker(exampleMailEndpoints.sendExampleMail, input, { caller });
    return { message: 'requested' };
  });
