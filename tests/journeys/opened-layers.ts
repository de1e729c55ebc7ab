import type { Locator, Page } from '@playwright/test';
import type { ScreenState } from './screens.ts';
import { LONG_EMAIL } from './team-with-long-names.ts';

export type Layer = 'dialog' | 'settings' | 'drawer' | 'menu' | 'choices' | 'details';

/** A screen with what opens over it, or in it. */
export type OpenedScreen = ScreenState & {
  layer: Layer;
  /** The component of web/src that shows it, by its file. */
  opens: string;
  /** What a person presses. When the layer is closed, it has the focus. */
  opener: (page: Page) => Locator;
  /** How it is pressed, if not by a click. */
  press?: (opener: Locator) => Promise<unknown>;
  /** What leads on to the layer from what has opened first. */
  then?: (page: Page) => Promise<unknown>;
  /** What the layer requires before Escape closes it. */
  beforeClose?: (page: Page) => Promise<unknown>;
};

export const button =
  (name: string | RegExp) =>
  (page: Page): Locator =>
    page.getByRole('button', { name, exact: true }).first();

export const field =
  (name: string) =>
  (page: Page): Locator =>
    page.getByLabel(name, { exact: true });

export const CODES = Array.from({ length: 10 }, (_, index) => `q7xkm-2v4h${index}`);

/** Two-step verification is on, and one passkey has a long name. */
export const FACTORS_ON = {
  data: {
    totpSince: '2026-11-21T09:00:00.000Z',
    recoveryCodes: { left: 9, total: 10 },
    passkeys: [
      {
        id: '0192f0c0-0000-7000-8000-0000000000f1',
        name: 'The laptop of the Lisbon office, second floor',
        createdAt: '2026-11-21T09:00:00.000Z',
        lastUsedAt: null,
      },
    ],
  },
};

/** Until a user has proved again who they are. */
export const PROOF_REQUIRED = { failsWith: 'session.reauthentication_required' } as const;

export const LONG_NAME = {
  firstName: 'Maximiliane-Charlotte',
  lastName: 'von Hohenzollern-Sigmaringen',
  email: LONG_EMAIL,
};

export const search = button(/^Search pages and actions/);
export const accountMenu = button(/Account menu/);
export const PALETTE = 'app/shell/command-palette.tsx CommandPalette';
