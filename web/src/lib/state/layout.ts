import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import { readItem } from '../storage.ts';

export const LAYOUT_SETTINGS = 'layoutSettings';

/** The settings with their values and labels, in the order of docs/product.md. */
export const CHOICES = {
  scheme: [
    ['auto', 'Auto'],
    ['dark', 'Dark'],
    ['light', 'Light'],
  ],
  accent: [
    ['default', 'Default'],
    ['ink', 'Ink'],
    ['iris', 'Iris'],
    ['plum', 'Plum'],
    ['clay', 'Clay'],
    ['slate', 'Slate'],
  ],
  direction: [
    ['ltr', 'LTR'],
    ['rtl', 'RTL'],
  ],
  sidebarColor: [
    ['default', 'Default'],
    ['dark', 'Dark'],
    ['color', 'Color'],
    ['transparent', 'Transparent'],
  ],
  sidebarActive: [
    ['rounded-one-side', 'Rounded One Side'],
    ['rounded-all', 'Rounded All'],
    ['pill-one-side', 'Pill One Side'],
    ['pill-all', 'Pill All'],
  ],
  navbar: [
    ['glass', 'Glass'],
    ['color', 'Color'],
    ['sticky', 'Sticky'],
    ['transparent', 'Transparent'],
    ['default', 'Default Navbar'],
  ],
} as const;

export const SIDEBAR_TYPES = [
  ['mini', 'Mini'],
  ['hover', 'Hover'],
  ['boxed', 'Boxed'],
] as const;

export type Setting = keyof typeof CHOICES;
export type Choice<S extends Setting> = (typeof CHOICES)[S][number][0];
export type SidebarType = (typeof SIDEBAR_TYPES)[number][0];
export type LayoutSettings = { [S in Setting]: Choice<S> } & { sidebarTypes: SidebarType[] };

export const DEFAULT_LAYOUT: LayoutSettings = {
  scheme: 'auto',
  accent: 'default',
  direction: 'ltr',
  sidebarColor: 'default',
  sidebarActive: 'rounded-one-side',
  navbar: 'default',
  sidebarTypes: [],
};

const parse = (text: string | null): Record<string, unknown> => {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
};

/** The stored settings, with defaults for missing and invalid ones. */
export const readLayout = (text: string | null): LayoutSettings => {
  const stored = parse(text);
  const valid = (Object.keys(CHOICES) as Setting[])
    .filter((setting) => CHOICES[setting].some(([value]) => value === stored[setting]))
    .map((setting) => [setting, stored[setting]]);
  const types = Array.isArray(stored['sidebarTypes']) ? (stored['sidebarTypes'] as unknown[]) : [];
  return {
    ...DEFAULT_LAYOUT,
    ...(Object.fromEntries(valid) as Partial<LayoutSettings>),
    sidebarTypes: SIDEBAR_TYPES.map(([value]) => value).filter((value) => types.includes(value)),
  };
};

const slice = createSlice({
  name: 'layout',
  initialState: () => readLayout(readItem(LAYOUT_SETTINGS)),
  reducers: {
    changed: (state, { payload }: PayloadAction<Partial<LayoutSettings>>) => ({ ...state, ...payload }),
    restored: (_, { payload }: PayloadAction<LayoutSettings>) => payload,
  },
});

export const layout = slice.actions;
export const layoutReducer = slice.reducer;
