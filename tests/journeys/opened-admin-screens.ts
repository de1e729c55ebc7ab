import type { Page } from '@playwright/test';
import type { AlertView } from '@shortlist/contracts/api/admin-views';
import {
  directoryRow,
  premiumUser,
  standingOf,
  subscriptionOf,
  subscriptionView,
  userView,
} from '../../web/test/fixtures.ts';
import { VIEWS } from '../../web/test/subscription-views.ts';
import { ACCESS } from './access-states.ts';
import {
  accountMenu,
  button,
  FACTORS_ON,
  LONG_NAME,
  type OpenedScreen,
  PALETTE,
  PROOF_REQUIRED,
  search,
} from './opened-layers.ts';
import { USER_BUCKETS } from './credits-of-tools.ts';
import { REGISTERED_TOOLS } from './registered-tools.ts';
import { TEAM_WITH_LONG_NAMES } from './team-with-long-names.ts';

const DASHBOARD = { path: '/admin/', as: 'admin', ready: /You are the Admin/, replies: {} } as const;
const SEARCH_HINT = /^Page, action/;
const ROWS = { data: [directoryRow(1, LONG_NAME), directoryRow(2)], total: 2, isCapped: false, next: null };

const searchFor =
  (text: string) =>
  async (page: Page): Promise<void> => {
    await page.getByPlaceholder(SEARCH_HINT).fill(text);
    await page.getByText('Searching users').waitFor({ state: 'detached' });
  };

const SHELL: OpenedScreen[] = [
  {
    ...DASHBOARD,
    name: 'opened-admin-menu',
    layer: 'menu',
    opens: 'app/shell/top-bar.tsx AdminMenu',
    opener: accountMenu,
  },
  {
    ...DASHBOARD,
    name: 'opened-admin-drawer',
    layer: 'drawer',
    opens: 'app/shell/shell.tsx Overlays',
    opener: button('Menu'),
  },
  {
    ...DASHBOARD,
    name: 'opened-admin-settings',
    layer: 'settings',
    opens: 'features/layout/settings-panel.tsx SettingsPanel',
    opener: button('Settings'),
  },
  { ...DASHBOARD, name: 'opened-admin-palette', layer: 'dialog', opens: PALETTE, opener: search },
  {
    ...DASHBOARD,
    name: 'opened-admin-palette-users',
    layer: 'dialog',
    opens: PALETTE,
    opener: search,
    then: searchFor('ma'),
    replies: { listUsers: ROWS },
  },
  {
    ...DASHBOARD,
    name: 'opened-admin-palette-none',
    layer: 'dialog',
    opens: PALETTE,
    opener: search,
    then: searchFor('no user of this name'),
  },
  {
    ...DASHBOARD,
    name: 'opened-admin-palette-failed',
    layer: 'dialog',
    opens: PALETTE,
    opener: search,
    then: searchFor('no user of this name'),
    replies: { listUsers: { failsWith: 'service.unavailable' } },
  },
];

const TEAM = {
  path: '/admin/team',
  as: 'admin',
  ready: /What each role may do/,
  layer: 'dialog',
  opens: 'features/admin-team/members.tsx Actions',
  replies: { team: TEAM_WITH_LONG_NAMES },
} satisfies Partial<OpenedScreen>;

const TEAM_DIALOGS: OpenedScreen[] = [
  {
    ...TEAM,
    name: 'opened-invite',
    opens: 'features/admin-team/invitations.tsx InviteDialog',
    opener: button('Invite admin'),
  },
  {
    ...TEAM,
    name: 'opened-withdraw',
    opens: 'features/admin-team/invitations.tsx Withdraw',
    opener: button(/^Withdraw the invitation/),
  },
  {
    ...TEAM,
    name: 'opened-role',
    opens: 'features/admin-team/members.tsx RoleSelect',
    opener: (page) => page.getByLabel(/^Role of/).first(),
    press: async (opener) => {
      await opener.focus();
      await opener.selectOption('Finance');
    },
  },
  { ...TEAM, name: 'opened-end-admin-sessions', opener: button(/^End the sessions of/) },
  { ...TEAM, name: 'opened-remove-admin-factor', opener: button(/^Remove the second factor of/) },
  { ...TEAM, name: 'opened-suspend', opener: button(/^Suspend /) },
  { ...TEAM, name: 'opened-restore', opener: button(/^Restore /) },
  { ...TEAM, name: 'opened-remove-admin', opener: button(/^Remove [^ ]+@/) },
];

const alert: AlertView = {
  id: 'dispute_opened:dp_1',
  kind: 'invoice_finalization_failed',
  userId: userView().id,
  objectId: 'in_1QmJk2LkdIwHu7ixk8Yxq3Zt',
  amount: 5_900,
  currency: 'usd',
  detail: null,
  raisedAt: '2026-11-21T09:00:00.000Z',
  resolvedAt: null,
  note: null,
};
const resolved: AlertView = { ...alert, id: 'refund_failed:re_1', resolvedAt: alert.raisedAt, note: 'Done' };

const SYSTEM = {
  path: '/admin/system',
  as: 'admin',
  ready: /Payment settings/,
  layer: 'dialog',
  opens: 'features/system/alerts-panel.tsx AlertDialog',
  replies: { system: { data: { stripe: { checkedAt: null, checks: [] }, alerts: [alert, resolved] } } },
} satisfies Partial<OpenedScreen>;

const TOOLS = {
  path: '/admin/tools',
  as: 'admin',
  ready: /Address exporter/,
  layer: 'dialog',
  opens: 'features/connections/registered-tools.tsx DisableDialog',
  replies: { tools: REGISTERED_TOOLS },
} satisfies Partial<OpenedScreen>;

const OTHER_DIALOGS: OpenedScreen[] = [
  { ...TOOLS, name: 'opened-disable-tool', opener: button(/^Disable The contact/) },
  { ...SYSTEM, name: 'opened-resolve', opener: button(/^Mark as resolved/) },
  { ...SYSTEM, name: 'opened-reopen', opener: button(/^Open again/) },
  {
    name: 'opened-delete-user',
    path: '/admin/user-list',
    as: 'admin',
    ready: /All Users/,
    layer: 'dialog',
    opens: 'features/directory/user-table.tsx DeleteDialog',
    opener: button(/^Delete /),
    replies: { listUsers: ROWS },
  },
  {
    name: 'opened-admin-password',
    path: '/admin/security',
    as: 'admin',
    ready: /Authenticator app/,
    layer: 'dialog',
    opens: 'features/security/change-password.tsx ChangePassword',
    opener: button('Change password'),
    replies: {},
  },
  {
    name: 'opened-admin-proof',
    path: '/admin/security',
    as: 'admin',
    ready: /Authenticator app/,
    layer: 'dialog',
    opens: 'features/session/step-up-dialog.tsx StepUpDialog',
    opener: button('Set up'),
    replies: {
      startTotp: PROOF_REQUIRED,
      reauthentication: { data: { methods: ['password'], passkey: null } },
    },
    then: (page) => page.getByLabel('Password', { exact: true }).waitFor(),
  },
  {
    name: 'opened-audit-entry',
    path: '/admin/audit',
    as: 'admin',
    ready: /\d\d:\d\d:\d\d/,
    layer: 'details',
    opens: 'features/audit/audit-entry.tsx AuditEntryLine',
    opener: (page) => page.locator('summary').first(),
    replies: {},
  },
];

/** What opens on the page of one user. */
const userDialogs = (id: string): OpenedScreen[] => {
  const page = {
    path: `/admin/edit-user?user_id=${id}`,
    as: 'admin',
    ready: /Subscription Information/,
    layer: 'dialog',
  } as const;
  const user = premiumUser({ ...LONG_NAME, id });
  const granted = { ...user, subscription: subscriptionOf('granted') };
  const free = userView({ ...LONG_NAME, id });
  const problem = subscriptionView(VIEWS.processing_free);
  const unsubscribe = {
    ...page,
    opens: 'features/users/subscription-information.tsx UnsubscribeDialog',
    opener: button('Unsubscribe'),
  };
  return [
    {
      ...unsubscribe,
      name: 'opened-unsubscribe',
      replies: { getUser: { data: user }, userStanding: { data: standingOf(user) } },
    },
    {
      ...unsubscribe,
      name: 'opened-unsubscribe-granted',
      replies: { getUser: { data: granted }, userStanding: { data: standingOf(granted) } },
    },
    {
      ...page,
      name: 'opened-grant',
      opens: 'features/users/subscription-information.tsx GrantButton',
      opener: button('Make Him A Premium User'),
      replies: {
        getUser: { data: free },
        userStanding: { data: standingOf(free, { subscription: problem }) },
      },
    },
    {
      ...page,
      name: 'opened-grant-credits',
      opens: 'features/users/user-credits.tsx GrantCreditsDialog',
      opener: button('Grant credits'),
      replies: { userBuckets: USER_BUCKETS },
    },
    {
      ...page,
      name: 'opened-take-back',
      opens: 'features/users/user-credits.tsx RevokeCreditsDialog',
      opener: button('Take back'),
      replies: { userBuckets: USER_BUCKETS },
    },
    {
      ...page,
      name: 'opened-end-sessions',
      opens: 'features/users/user-security.tsx EndAllDialog',
      opener: button('End all sessions'),
      replies: { countUserSessions: { count: 3 }, userAccess: ACCESS },
    },
    {
      ...page,
      name: 'opened-end-key',
      opens: 'features/users/user-access.tsx EndDialog',
      opener: button(`End ${ACCESS.data.apiKeys[0]?.name ?? ''}`),
      replies: { userAccess: ACCESS },
    },
    {
      ...page,
      name: 'opened-remove-factors',
      opens: 'features/users/user-security.tsx RemoveDialog',
      opener: button('Remove second factors'),
      replies: { userFactors: FACTORS_ON },
    },
    {
      ...page,
      name: 'opened-admin-palette-user',
      opens: PALETTE,
      opener: search,
      then: (at) => at.getByRole('dialog').getByText('This user', { exact: true }).waitFor(),
      replies: { getUser: { data: user } },
    },
  ];
};

export const adminOpenedScreens = (userId: string): OpenedScreen[] => [
  ...SHELL,
  ...TEAM_DIALOGS,
  ...OTHER_DIALOGS,
  ...userDialogs(userId),
];
