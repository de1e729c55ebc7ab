import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import { LAYOUT_SETTINGS, readItem } from '../storage.ts';
import { layoutText } from '../../messages/shell.ts';

/** The settings with their values and labels, in the order of docs/product.md. */
export const CHOICES = {
  scheme: [
    ['auto', layoutText('auto')],
    ['dark', layoutText('dark')],
    ['light', layoutText('light')],
  ],
  accent: [
    ['default', layoutText('default')],
    ['ink', layoutText('ink')],
    ['iris', layoutText('iris')],
    ['plum', layoutText('plum')],
    ['clay', layoutText('clay')],
    ['slate', layoutText('slate')],
  ],
  direction: [
    ['ltr', layoutText('ltr')],
    ['rtl', layoutText('rtl')],
  ],
  sidebarColor: [
    ['default', layoutText('default')],
    ['dark', layoutText('dark')],
    ['color', layoutText('color')],
    ['transparent', layoutText('transparent')],
  ],
  sidebarActive: [
    ['rounded-one-side', layoutText('roundedOneSide')],
    ['rounded-all', layoutText('roundedAll')],
    ['pill-one-side', layoutText('pillOneSide')],
    ['pill-all', layoutText('pillAll')],
  ],
  navbar: [
    ['glass', layoutText('glass')],
    ['color', layoutText('color')],
    ['sticky', layoutText('sticky')],
    ['transparent', layoutText('transparent')],
    ['default', layoutText('defaultNavbar')],
  ],
} as const;

export const SIDEBAR_TYPES = [
  ['mini', layoutText('mini')],
  ['hover', layoutText('hover')],
  ['boxed', layoutText('boxed')],
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
