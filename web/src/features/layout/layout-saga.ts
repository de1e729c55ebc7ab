import { eventChannel, type EventChannel } from 'redux-saga';
import { call, type Effect, fork, put, select, take, takeEvery } from 'redux-saga/effects';
import { CHOICES, layout, type LayoutSettings, readLayout } from '../../lib/state/layout.ts';
import { LAST_PAGE, page } from '../../lib/state/page.ts';
import type { RootState } from '../../lib/state/reducers.ts';
import { LAYOUT_SETTINGS, writeItem, writeTabItem } from '../../lib/storage.ts';

const setAttribute = (name: string, value: string | null): void => {
  if (value === null) document.documentElement.removeAttribute(name);
  else document.documentElement.setAttribute(name, value);
};

const isDark = ({ scheme }: LayoutSettings): boolean =>
  scheme === 'dark' || (scheme === 'auto' && window.matchMedia('(prefers-color-scheme: dark)').matches);

const THEME_CLASS = 'theme-color-';

const applyThemeClass = (accent: string): void => {
  document.body.classList.remove(...CHOICES.accent.map(([value]) => THEME_CLASS + value));
  document.body.classList.add(THEME_CLASS + accent);
};

/** Sets the attributes that the styles depend on. public/theme.js sets the first three before the first paint. */
const applyLayout = (settings: LayoutSettings): void => {
  setAttribute('data-theme', isDark(settings) ? 'dark' : 'light');
  setAttribute('data-accent', settings.accent === 'default' ? null : settings.accent);
  setAttribute('dir', settings.direction);
  setAttribute('data-sidebar-color', settings.sidebarColor);
  setAttribute('data-sidebar-active', settings.sidebarActive);
  setAttribute('data-navbar', settings.navbar);
  for (const type of ['mini', 'hover', 'boxed'] as const)
    setAttribute(`data-sidebar-${type}`, settings.sidebarTypes.includes(type) ? '' : null);
  applyThemeClass(settings.accent);
};

type Saga = Generator<Effect, void, unknown>;

function* apply(): Saga {
  const { layout: settings } = (yield select()) as RootState;
  yield call(applyLayout, settings);
}

function* applyAndRemember(): Saga {
  const { layout: settings } = (yield select()) as RootState;
  yield call(applyLayout, settings);
  yield call(writeItem, LAYOUT_SETTINGS, JSON.stringify(settings));
}

const systemScheme = (): EventChannel<true> =>
  eventChannel((emit) => {
    const query = window.matchMedia('(prefers-color-scheme: dark)');
    const listener = (): void => emit(true);
    query.addEventListener('change', listener);
    return () => query.removeEventListener('change', listener);
  });

const settingsInOtherTabs = (): EventChannel<string> =>
  eventChannel((emit) => {
    const listener = (event: StorageEvent): void => {
      if (event.key === LAYOUT_SETTINGS) emit(event.newValue ?? '');
    };
    window.addEventListener('storage', listener);
    return () => window.removeEventListener('storage', listener);
  });

/** Applies changes of the system's colour scheme, for the setting Auto. */
function* followSystem(): Saga {
  const channel = (yield call(systemScheme)) as EventChannel<true>;
  try {
    for (;;) {
      yield take(channel);
      yield* apply();
    }
  } finally {
    channel.close();
  }
}

function* followOtherTabs(): Saga {
  const channel = (yield call(settingsInOtherTabs)) as EventChannel<string>;
  try {
    for (;;) {
      const text = (yield take(channel)) as string;
      yield put(layout.restored(readLayout(text === '' ? null : text)));
    }
  } finally {
    channel.close();
  }
}

/** Stores the last page for the tab, because it must survive the checkout on the provider's site. */
function* rememberLastPage(): Saga {
  const { page: state } = (yield select()) as RootState;
  yield call(writeTabItem, LAST_PAGE, state.lastPage);
}

export function* layoutSaga(): Saga {
  yield* apply();
  yield fork(followSystem);
  yield fork(followOtherTabs);
  yield takeEvery(layout.changed.type, applyAndRemember);
  yield takeEvery(layout.restored.type, apply);
  yield takeEvery(page.lastPageSet.type, rememberLastPage);
}
