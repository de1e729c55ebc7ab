import { BULK_KINDS, type BulkKind, JOB_PERMISSIONS } from '@shortlist/contracts/api/bulk';
import { useState } from 'react';
import { useCan } from '../../lib/state/hooks.tsx';
import type { ListState } from './list-state.ts';

/** News are chosen in the dialog of a message. */
export type BulkAction = Exclude<BulkKind, 'news'>;
const BULK_ACTIONS = BULK_KINDS.filter((kind) => kind !== 'news');

type Selected = { ids: readonly string[]; isAll: boolean };
const NONE: Selected = { ids: [], isAll: false };

/** The selected users of the page, or all that match the filters. Another page or filter begins without any. */
export const useSelection = ({ query }: ListState) => {
  const can = useCan();
  const key = JSON.stringify(query);
  const [stored, setStored] = useState({ ...NONE, key });
  const { ids, isAll } = stored.key === key ? stored : NONE;
  const set = (selected: Selected): void => setStored({ ...selected, key });
  const kinds: BulkAction[] = BULK_ACTIONS.filter((kind) => can(JOB_PERMISSIONS[kind]));
  return {
    ids,
    isAll,
    kinds,
    isOffered: kinds.length > 0 || can('users.export'),
    select: (changed: readonly string[], isSelected: boolean): void => {
      const others = ids.filter((id) => !changed.includes(id));
      set({ ids: isSelected ? [...others, ...changed] : others, isAll: false });
    },
    selectAll: (): void => set({ ids, isAll: true }),
    clear: (): void => set(NONE),
  };
};

export type Selection = ReturnType<typeof useSelection>;
