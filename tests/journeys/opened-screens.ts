import type { Page } from '@playwright/test';
import { premiumUser, subscriptionView, userView } from '../../web/test/fixtures.ts';
import { adminOpenedScreens } from './opened-admin-screens.ts';
import { OPENED_CONNECTIONS } from './opened-connections.ts';
import { ACCESS } from './access-states.ts';
import {
  accountMenu,
  button,
  CODES,
  FACTORS_ON,
  field,
  LONG_NAME,
  type OpenedScreen,
  PALETTE,
  PROOF_REQUIRED,
  search,
} from './opened-layers.ts';

const LONG_USER = { checkUser: { remainingTime: 3_600, user: premiumUser(LONG_NAME) } };

const HOME = { path: '/', as: 'premium', ready: /Your tools/, replies: {} } as const;

/** Of the frame around each page of a user. */
const SHELL: OpenedScreen[] = [
  {
    ...HOME,
    name: 'opened-account-menu',
    layer: 'menu',
    opens: 'app/shell/top-bar.tsx UserMenu',
    opener: accountMenu,
    replies: LONG_USER,
  },
  {
    ...HOME,
    name: 'opened-drawer',
    layer: 'drawer',
    opens: 'app/shell/shell.tsx Overlays',
    opener: button('Menu'),
  },
  {
    ...HOME,
    name: 'opened-settings',
    layer: 'settings',
    opens: 'features/layout/settings-panel.tsx SettingsPanel',
    opener: button('Settings'),
  },
  { ...HOME, name: 'opened-palette', layer: 'dialog', opens: PALETTE, opener: search },
  {
    ...HOME,
    name: 'opened-palette-none',
    layer: 'dialog',
    opens: PALETTE,
    opener: search,
    press: (opener) => opener.press('Control+k'),
    then: (page) => page.getByPlaceholder('Type a page or an action').fill('no page of this name'),
  },
  {
    ...HOME,
    name: 'opened-keys',
    layer: 'dialog',
    opens: 'app/shell/command-palette.tsx KeyList',
    opener: search,
    press: (opener) => opener.press('?'),
  },
];

const PRIVACY = {
  path: '/privacy',
  ready: /Prepare download/,
  layer: 'dialog',
  opens: 'features/privacy/delete-panel.tsx DeleteDialog',
  opener: button('Delete my account'),
} as const;

const SECURITY = { path: '/security', as: 'premium', ready: /Authenticator app/, layer: 'dialog' } as const;

const DEVICE = {
  browser: 'Chrome',
  system: 'Windows',
  place: 'Lisbon, Portugal',
  firstSeenAt: '2026-11-20T09:41:00.000Z',
  lastSeenAt: '2026-11-21T09:41:00.000Z',
};
const DEVICES = {
  data: [
    { ...DEVICE, id: '0192f0c0-0000-7000-8000-0000000000d1', isCurrent: true },
    { ...DEVICE, id: '0192f0c0-0000-7000-8000-0000000000d2', isCurrent: false },
  ],
};

/** Of the account of a user. */
const ACCOUNT: OpenedScreen[] = [
  { ...PRIVACY, name: 'opened-delete-account', as: 'premium', replies: LONG_USER },
  {
    ...PRIVACY,
    name: 'opened-delete-account-free',
    as: 'free',
    replies: {
      checkUser: { remainingTime: 3_600, user: userView() },
      subscription: { data: subscriptionView() },
    },
  },
  {
    ...SECURITY,
    name: 'opened-change-password',
    opens: 'features/security/change-password.tsx ChangePassword',
    opener: button('Change password'),
    replies: {},
  },
  {
    ...SECURITY,
    name: 'opened-change-email',
    opens: 'features/security/email-lines.tsx ChangeForm',
    opener: button('Change email'),
    replies: { factors: { data: { ...FACTORS_ON.data, totpSince: null } } },
  },
  {
    ...SECURITY,
    name: 'opened-sign-out-others',
    opens: 'features/security/devices-panel.tsx EndOthersDialog',
    opener: button('Sign out all others'),
    replies: { listDevices: DEVICES, access: ACCESS },
  },
];

const SECRET = { data: { secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP', email: LONG_NAME.email } };

const saveCodes = (page: Page): Promise<void> => page.getByLabel('I saved these codes').check();

const setUp = button('Set up');

/** Of the second factors, which users and admins have. */
const FACTORS: OpenedScreen[] = [
  {
    ...SECURITY,
    name: 'opened-set-up-two-step',
    opens: 'features/security/set-up-dialog.tsx SetUpDialog',
    opener: setUp,
    replies: { startTotp: SECRET },
  },
  {
    ...SECURITY,
    name: 'opened-recovery-codes',
    opens: 'features/security/two-step-panel.tsx CodesDialog',
    opener: setUp,
    replies: { startTotp: SECRET, confirmTotp: { data: { recoveryCodes: CODES } } },
    then: async (page) => {
      await page.getByLabel('The code it shows').fill('123456');
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByRole('dialog', { name: 'Save your recovery codes' }).waitFor();
    },
    beforeClose: saveCodes,
  },
  {
    ...SECURITY,
    name: 'opened-turn-off-two-step',
    opens: 'features/security/two-step-panel.tsx TurnOff',
    opener: button('Turn off'),
    replies: { factors: FACTORS_ON },
  },
  {
    ...SECURITY,
    name: 'opened-new-codes',
    opens: 'features/security/two-step-panel.tsx NewCodes',
    opener: button('New codes'),
    replies: { factors: FACTORS_ON },
  },
  {
    ...SECURITY,
    name: 'opened-rename-passkey',
    opens: 'features/security/passkey-lines.tsx RenameDialog',
    opener: button(/^Rename /),
    replies: { factors: FACTORS_ON },
  },
  {
    ...SECURITY,
    name: 'opened-remove-passkey',
    opens: 'features/security/passkey-lines.tsx RemoveDialog',
    opener: button(/^Remove /),
    replies: { factors: FACTORS_ON },
  },
];

const STEP_UP = {
  ...SECURITY,
  opens: 'features/session/step-up-dialog.tsx StepUpDialog',
  opener: setUp,
} as const;

/** Of the proof that a change requires. */
const PROOFS: OpenedScreen[] = [
  {
    ...STEP_UP,
    name: 'opened-proof-password',
    replies: {
      startTotp: PROOF_REQUIRED,
      reauthentication: { data: { methods: ['password'], passkey: null } },
    },
    then: (page) => page.getByLabel('Password', { exact: true }).waitFor(),
  },
  {
    ...STEP_UP,
    name: 'opened-proof-factors',
    replies: {
      startTotp: PROOF_REQUIRED,
      reauthentication: { data: { methods: ['totp', 'recovery', 'passkey'], passkey: { challenge: 'x' } } },
    },
    then: (page) => page.getByRole('button', { name: 'Use a recovery code' }).waitFor(),
  },
  {
    ...STEP_UP,
    name: 'opened-proof-failed',
    replies: { startTotp: PROOF_REQUIRED, reauthentication: { failsWith: 'service.unavailable' } },
    then: (page) => page.getByRole('dialog').getByRole('button', { name: 'Try again' }).waitFor(),
  },
];

const FORM = { layer: 'choices', opens: 'features/account/inputs.tsx ComboboxInput', replies: {} } as const;
const REGISTER = { ...FORM, path: '/register', as: 'anonymous', ready: /Sign Up/ } as const;

/** Of the fields with choices. */
const CHOICES: OpenedScreen[] = [
  { ...REGISTER, name: 'opened-countries', opener: field('Country') },
  {
    ...REGISTER,
    name: 'opened-countries-none',
    opener: field('Country'),
    then: (page) => page.getByLabel('Country').fill('Atlantis'),
  },
  {
    ...REGISTER,
    name: 'opened-countries-long-names',
    opener: field('Country'),
    then: (page) => page.getByLabel('Country').fill('islands'),
  },
  { ...REGISTER, name: 'opened-industries', opener: field('Primary recruiting industry') },
  {
    ...FORM,
    name: 'opened-countries-profile',
    path: '/profile',
    as: 'premium',
    ready: /User Profile/,
    opener: field('Country'),
  },
];

/** Everything that opens in the product, of each component one or more. `userId`: a user with a plan that renews. */
export const openedScreens = (userId: string): OpenedScreen[] => [
  ...SHELL,
  ...ACCOUNT,
  ...FACTORS,
  ...OPENED_CONNECTIONS,
  ...PROOFS,
  ...CHOICES,
  ...adminOpenedScreens(userId),
];
