import { SCOPES } from '@shortlist/contracts/api/api-keys';
import type { RegisteredTool } from '@shortlist/contracts/api/tools';
import { registeredTool } from '../../web/test/fixtures.ts';
import type { ScreenState } from './screens.ts';

/** A picture of one pixel. */
const LOGO =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkSPj/HwAEhQKAx4tXNAAAAABJRU5ErkJggg==';

/** One with long names, one without a browser, and a disabled one. */
export const REGISTERED_TOOLS: { data: RegisteredTool[] } = {
  data: [
    registeredTool(1, {
      name: 'The contact finder of the Lisbon office, for all of Iberia',
      logo: LOGO,
      scopes: [...SCOPES],
      redirectUris: [
        'https://abcdefghijklmnopabcdefghijklmnop.chromiumapp.org/',
        'https://tools.talentfield-recruiting.example/integrations/shortlist/callback',
      ],
      users: 12_408,
    }),
    registeredTool(2, { name: 'Automation bot', scopes: ['credits:read', 'credits:charge'], users: 1 }),
    registeredTool(3, {
      name: 'Address exporter',
      isVerified: false,
      scopes: ['profile:read'],
      redirectUris: ['http://127.0.0.1/callback'],
      disabledAt: '2026-11-20T09:00:00.000Z',
    }),
  ],
};

const TOOLS = { path: '/admin/tools', as: 'admin' } as const;

/** The list of the tools as no operator of the gallery has made it. */
export const TOOL_STATES: ScreenState[] = [
  {
    ...TOOLS,
    name: 'all-tools-long-names',
    ready: /Address exporter/,
    replies: { tools: REGISTERED_TOOLS },
  },
  {
    ...TOOLS,
    name: 'all-tools-empty',
    ready: /No tools have been registered/,
    replies: { tools: { data: [] } },
  },
];
