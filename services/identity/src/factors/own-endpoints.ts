import type { Endpoint } from '@shortlist/contracts/api/endpoint';
import { userId } from '@shortlist/contracts/schemas/text';
import type { EndpointRule, Router } from '@shortlist/kit/http/router';
import { createError } from '@shortlist/kit/process/errors';
import Joi from 'joi';

type OwnRule<Input, Reply> = Pick<EndpointRule<Input, Reply, unknown>, 'input' | 'handle'>;

export const ofUser = Joi.object<{ userId: string }, true>({ userId });

/** Adds endpoints of an account about itself: an admin, too, names no other account. */
export const createOwnEndpoints =
  (router: Router) =>
  <Input extends { userId: string }, Reply>(
    endpoint: Endpoint<Input, Reply>,
    { input, handle }: OwnRule<Input, Reply>,
  ): void =>
    router.add(endpoint, {
      roles: ['user', 'admin'],
      input,
      handle: (context) => {
        if (context.input.userId !== context.caller.userId) throw createError('request.not_found');
        return handle(context);
      },
    });
