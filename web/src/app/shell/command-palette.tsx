import { readableEmail } from '@shortlist/contracts/unicode';
import { fullName } from '@shortlist/contracts/messages';
import { Command } from 'cmdk';
import { type ReactNode, useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { useDirectory, useUserById } from '../../lib/data/use-directory.ts';
import { CHANGE_EMAIL, paths } from '../../lib/paths.ts';
import { sessions } from '../../lib/state/sessions.ts';
import { useAppDispatch, useAppSelector, useCan } from '../../lib/state/hooks.tsx';
import { layout } from '../../lib/state/layout.ts';
import { recent } from '../../lib/state/page.ts';
import { paletteText } from '../../messages/palette.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { navigationOf } from './navigation.ts';

const USERS = 6;
/** Shorter texts match too many users to be of use. */
const SEARCH_FROM = 2;
const PAUSE_MS = 200;

/** One line of the palette. Lines that lead to an address are remembered. */
type Entry = { id: string; label: string; note?: string } & (
  { to: string; state?: object; run?: undefined } | { run: () => void; to?: undefined }
);

type Group = { title: string; entries: Entry[] };

const wordsOf = (text: string): string[] => text.toLocaleLowerCase('en').split(/\s+/).filter(Boolean);

/** Whether each typed word begins a word of the line. */
const matches = ({ label, note = '' }: Entry, typed: string): boolean => {
  const words = wordsOf(`${label} ${note}`);
  return wordsOf(typed).every((start) => words.some((word) => word.startsWith(start)));
};

const useNavigationEntries = (isAdmin: boolean): Entry[] => {
  const can = useCan();
  return navigationOf(isAdmin)
    .flatMap(({ entries }) => entries)
    .flatMap(({ label, to, permission, forwards }) =>
      typeof to !== 'string' || forwards || (permission !== undefined && !can(permission))
        ? []
        : [{ id: `page ${to}`, label, to }],
    );
};

type Handlers = { onSettings: () => void; onKeys: () => void };

const useActions = (isAdmin: boolean, { onSettings, onKeys }: Handlers): Entry[] => {
  const dispatch = useAppDispatch();
  const scheme = (name: 'auto' | 'dark' | 'light'): Entry => ({
    id: `scheme ${name}`,
    label: paletteText(name),
    run: () => dispatch(layout.changed({ scheme: name })),
  });
  const own: Entry[] = [
    { id: 'email', label: paletteText('changeEmail'), to: paths.security, state: CHANGE_EMAIL },
    { id: 'plan', label: paletteText('changePlan'), to: paths.payments },
  ];
  return [
    ...(isAdmin ? [] : own),
    scheme('light'),
    scheme('dark'),
    scheme('auto'),
    { id: 'settings', label: paletteText('settings'), run: onSettings },
    { id: 'keys', label: paletteText('keys'), run: onKeys },
    {
      id: 'log out',
      label: paletteText('logOut'),
      note: paletteText('logOutNote'),
      run: () => dispatch(sessions.logoutRequested(isAdmin ? 'admin' : 'user')),
    },
  ];
};

/** What the admin may do with the user of the page. */
const useUserActions = (): Entry[] => {
  const { pathname, search } = useLocation();
  const id = pathname.startsWith('/admin/') ? new URLSearchParams(search).get('user_id') : null;
  const { data: user } = useUserById(id);
  const can = useCan();
  if (id === null || user === undefined) return [];
  const name = fullName(user);
  const line = (
    label: 'editUser' | 'viewUser' | 'viewAs' | 'manageSubscription' | 'auditOf',
    to: string,
  ) => ({
    id: `${label} ${id}`,
    label: paletteText(label, { name }),
    to,
  });
  return [
    line('editUser', paths.editUser(id)),
    line('viewUser', paths.viewUser(id)),
    line('manageSubscription', paths.manageSubscriptionOf(id)),
    ...(can('audit.read') ? [line('auditOf', paths.auditOf(id))] : []),
    ...(can('impersonate') ? [line('viewAs', paths.viewAs(id))] : []),
  ];
};

/** The text once the typing pauses. */
const useSettled = (text: string): string => {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
};

const NO_SEARCH = { entries: [], isLoading: false, hasFailed: false };

/** The users that an admin searches, once the typing pauses. */
const useUsers = (
  isAdmin: boolean,
  typed: string,
): { entries: Entry[]; isLoading: boolean; hasFailed: boolean } => {
  const text = isAdmin && typed.trim().length >= SEARCH_FROM ? typed.trim() : '';
  const search = useSettled(text);
  const { data, error, isLoading } = useDirectory(search === '' ? null : { search, limit: USERS });
  if (text === '') return NO_SEARCH;
  const entries = (data?.data ?? []).map((user): Entry => ({
    id: `user ${user.id}`,
    label: fullName(user),
    note: `${readableEmail(user.email)} · ${user.organizationName}`,
    to: paths.editUser(user.id),
  }));
  return { entries, isLoading: isLoading || search !== text, hasFailed: error !== undefined };
};

const Line = ({ entry, onSelect }: { entry: Entry; onSelect: (entry: Entry) => void }): ReactNode => (
  <Command.Item value={entry.id} onSelect={() => onSelect(entry)}>
    <span className="palette-label">{entry.label}</span>
    {entry.note !== undefined && <span className="palette-note">{entry.note}</span>}
  </Command.Item>
);

/** The groups of the palette that have lines for what is typed, and what is said of the search of users. */
const useGroups = (isAdmin: boolean, typed: string, handlers: Handlers) => {
  const users = useUsers(isAdmin, typed);
  const groups: Group[] = [
    { title: paletteText('recent'), entries: useAppSelector((state) => state.recent) },
    { title: paletteText('thisUser'), entries: useUserActions() },
    { title: paletteText('pages'), entries: useNavigationEntries(isAdmin) },
    { title: paletteText('actions'), entries: useActions(isAdmin, handlers) },
  ].map(({ title, entries }) => ({ title, entries: entries.filter((entry) => matches(entry, typed)) }));
  // What is remembered stands once, and only before anything is typed.
  const shown = typed.trim() === '' ? groups : groups.slice(1);
  return { ...users, groups: [{ title: paletteText('users'), entries: users.entries }, ...shown] };
};

type ResultsProps = Omit<ReturnType<typeof useGroups>, 'entries'> & {
  title: string;
  onSelect: (entry: Entry) => void;
};

/** The lines, below what is said of them: a list holds nothing but its lines. */
const Results = ({ title, groups, isLoading, hasFailed, onSelect }: ResultsProps): ReactNode => {
  const filled = groups.filter(({ entries }) => entries.length > 0);
  const isEmpty = filled.length === 0 && !isLoading && !hasFailed;
  return (
    <div className="palette-results">
      <div role="status">
        {isLoading && <p>{paletteText('searching')}</p>}
        {isEmpty && <p>{paletteText('none')}</p>}
      </div>
      {hasFailed && <p role="alert">{paletteText('failed')}</p>}
      <Command.List label={title}>
        {filled.map((group) => (
          <Command.Group key={group.title} heading={group.title}>
            {group.entries.map((entry) => (
              <Line key={entry.id} entry={entry} onSelect={onSelect} />
            ))}
          </Command.Group>
        ))}
      </Command.List>
    </div>
  );
};

type PaletteProps = Handlers & { isAdmin: boolean; onClose: () => void };

/** Leads to pages, users and actions by the keyboard. */
export const CommandPalette = ({ isAdmin, onClose, ...handlers }: PaletteProps): ReactNode => {
  const [typed, setTyped] = useState('');
  const results = useGroups(isAdmin, typed, handlers);
  const navigate = useNavigate();
  const dispatch = useAppDispatch();
  const handleSelect = (entry: Entry): void => {
    onClose();
    if (entry.to === undefined) return entry.run();
    dispatch(recent.chosen({ id: entry.id, label: entry.label, to: entry.to }));
    void navigate(entry.to, { state: entry.state });
  };
  const title = paletteText(isAdmin ? 'title' : 'titleOfUser');
  return (
    <Dialog
      title={title}
      isWide
      onClose={onClose}
      end={<Button onClick={onClose}>{paletteText('close')}</Button>}
    >
      <Command className="palette" label={title} shouldFilter={false} loop>
        <Command.Input
          className="input"
          data-autofocus
          placeholder={paletteText(isAdmin ? 'placeholder' : 'placeholderOfUser')}
          value={typed}
          onValueChange={setTyped}
        />
        <Results title={title} {...results} onSelect={handleSelect} />
      </Command>
    </Dialog>
  );
};

const KEYS = [
  ['controlK', 'keyPalette'],
  ['questionMark', 'keyKeys'],
  ['arrows', 'keyMove'],
  ['enter', 'keyChoose'],
  ['escape', 'keyClose'],
] as const;

export const KeyList = ({ onClose }: { onClose: () => void }): ReactNode => (
  <Dialog
    title={paletteText('keysTitle')}
    onClose={onClose}
    end={
      <Button data-autofocus onClick={onClose}>
        {paletteText('close')}
      </Button>
    }
  >
    <dl className="key-list">
      {KEYS.map(([key, text]) => (
        <div key={key}>
          <dt>
            <kbd>{paletteText(key)}</kbd>
          </dt>
          <dd>{paletteText(text)}</dd>
        </div>
      ))}
    </dl>
  </Dialog>
);
