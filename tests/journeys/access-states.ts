import type { ScreenState } from './screens.ts';
import { LONG_EMAIL } from './team-with-long-names.ts';

const actingItem = (name: string, detail: string) => ({
  id: '0192f0c0-0000-7000-8000-0000000000e1',
  name,
  detail,
  createdAt: '2026-11-21T09:00:00.000Z',
});

/** Keys, tools and webhooks with long names. */
export const ACCESS = {
  data: {
    apiKeys: [actingItem('Weekly report of the Lisbon office, second floor', 'sl_live_4k…x7Qa')],
    connections: [actingItem('Sourcing bot', 'MacBook of Maximiliane-Charlotte')],
    webhooks: [actingItem('hooks.recruiting.hohenzollern-sigmaringen.example.com', '')],
  },
};

/** The link that takes an account back, before it is used. */
export const UNDO_STATE: ScreenState = {
  name: 'undo-email-open',
  path: `/undo-email-change#token=${'A'.repeat(43)}`,
  as: 'anonymous',
  ready: /Undo the change of your email/,
  replies: {
    checkEmailUndo: { data: { email: LONG_EMAIL, isConfirmed: true, access: ACCESS.data, deletion: true } },
  },
};
