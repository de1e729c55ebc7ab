import type { SavedQuery } from '@shortlist/contracts/api/directory';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { FILTER_NAME_MAX } from '@shortlist/contracts/limits';
import { type ReactNode, useId, useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { revalidate, useQuery } from '../../lib/data/use-query.ts';
import { useAdminToken } from '../../lib/state/hooks.tsx';
import { useCommand } from '../../lib/state/use-command.ts';
import { directoryText } from '../../messages/directory.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import type { ListState } from './list-state.ts';

/** The parameters of the address that are saved: not the searched text, which may name a person. */
const SAVED = ['plan', 'payment', 'country', 'joinedFrom', 'joinedTo', 'sort'] as const;

/** The server refuses a value of the address that is none of the choices. */
const queryOf = (params: URLSearchParams): SavedQuery =>
  Object.fromEntries(
    SAVED.flatMap((name) => {
      const value = params.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );

const isSame = (one: SavedQuery, other: SavedQuery): boolean =>
  SAVED.every((name) => (one[name] ?? '') === (other[name] ?? ''));

type DialogProps = { query: SavedQuery; onClose: () => void };

const SaveDialog = ({ query, onClose }: DialogProps): ReactNode => {
  const token = useAdminToken();
  const [name, setName] = useState('');
  // One id for each dialog, so that a request that is sent again saves one filter.
  const [filterId] = useState(() => crypto.randomUUID());
  const command = useCommand(async (): Promise<void> => {
    await call(publicEndpoints.saveFilter, { filterId, name, query }, { token });
    await revalidate(['directory']);
    onClose();
  });
  const refused = command.failure?.fields['name'];
  return (
    <ConfirmDialog
      title={directoryText('saveFilters')}
      confirmLabel={directoryText('save')}
      command={command}
      isFailureAtField={refused !== undefined}
      onClose={onClose}
    >
      <p>{directoryText('saveFiltersText')}</p>
      <TextField
        label={directoryText('filterName')}
        maxLength={FILTER_NAME_MAX}
        value={name}
        error={refused}
        onChange={(event) => setName(event.target.value)}
      />
    </ConfirmDialog>
  );
};

const Remove = ({ filterId }: { filterId: string }): ReactNode => {
  const token = useAdminToken();
  const { isBusy, run } = useCommand(async (): Promise<void> => {
    try {
      await call(publicEndpoints.removeFilter, { filterId }, { token });
    } finally {
      await revalidate(['directory']);
    }
  });
  return (
    <Button variant="quiet" isBusy={isBusy} onClick={() => void run()}>
      {directoryText('removeFilter')}
    </Button>
  );
};

/** The filters that the admin has saved, as a choice, and how to save those of the page. Without any, it keeps its place: a late answer moves nothing. */
export const SavedFilters = ({ list }: { list: ListState }): ReactNode => {
  const id = useId();
  const { data: saved = [] } = useQuery('directory', publicEndpoints.savedFilters, {});
  const [isOpen, setIsOpen] = useState(false);
  const query = queryOf(list.params);
  const current = saved.find((filter) => isSame(filter.query, query));
  const apply = (filterId: string): void => {
    const chosen = saved.find((filter) => filter.id === filterId)?.query ?? {};
    list.change(Object.fromEntries(SAVED.map((name) => [name, chosen[name] ?? ''])));
  };
  return (
    <>
      <div className="filter is-saved">
        <label className="label" htmlFor={id}>
          {directoryText('savedFilters')}
        </label>
        <div className="select">
          <select id={id} value={current?.id ?? ''} onChange={(event) => apply(event.target.value)}>
            <option value="">{directoryText('noSavedFilter')}</option>
            {saved.map((filter) => (
              <option key={filter.id} value={filter.id}>
                {filter.name}
              </option>
            ))}
          </select>
        </div>
      </div>
      {current !== undefined && <Remove filterId={current.id} />}
      {current === undefined && Object.keys(query).length > 0 && (
        <Button onClick={() => setIsOpen(true)}>{directoryText('saveFilters')}</Button>
      )}
      {isOpen && <SaveDialog query={query} onClose={() => setIsOpen(false)} />}
    </>
  );
};
