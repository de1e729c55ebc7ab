import { SCOPES } from '@shortlist/contracts/api/api-keys';
import { connectionRequest } from '../../web/test/fixtures.ts';

/** What a user reads who is asked whether a tool may be connected. */
export const CONNECT_STATES = [
  {
    name: 'connect-device',
    path: '/connect?user_code=WDJB-MJHT',
    as: 'free',
    ready: /Is this code on its screen/,
    isAlone: true,
    replies: { findConnectionRequest: { data: connectionRequest() } },
  },
  {
    name: 'connect-unverified',
    path: '/connect?request=x',
    as: 'free',
    ready: /We do not know who makes this tool/,
    isAlone: true,
    replies: {
      findConnectionRequest: {
        data: connectionRequest({
          name: 'The contact finder of the Lisbon office, for all of Iberia',
          isVerified: false,
          code: null,
          scopes: [...SCOPES],
        }),
      },
    },
  },
] as const;
