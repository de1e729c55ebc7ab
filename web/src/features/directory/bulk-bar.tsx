import type { DirectoryPage } from '@shortlist/contracts/api/directory';
import { type ReactNode, useState } from 'react';
import { May } from '../../lib/state/hooks.tsx';
import { bulkText } from '../../messages/bulk.ts';
import { Button } from '../../ui/button.tsx';
import { BulkDialog, type Target } from './bulk-dialog.tsx';
import { ExportSelected } from './list-controls.tsx';
import type { ListState } from './list-state.ts';
import type { BulkAction, Selection } from './selection.ts';

const targetOf = ({ total, isCapped }: DirectoryPage, { query }: ListState, selection: Selection): Target => {
  if (!selection.isAll) return { ids: selection.ids.join(','), count: selection.ids.length, isCapped: false };
  const { sort: _sort, limit: _limit, cursor: _cursor, ...filter } = query;
  return { filter, count: total, isCapped };
};

const countText = ({ count, isCapped }: Target, isAll: boolean): string => {
  if (!isAll) return bulkText('selected', { count });
  return bulkText(isCapped ? 'allOfMore' : 'all', { count });
};

type BulkBarProps = { page: DirectoryPage; list: ListState; selection: Selection };

/** What can be done with the selected users, or with all that match. */
const Actions = ({ page, list, selection }: BulkBarProps): ReactNode => {
  const [kind, setKind] = useState<BulkAction | null>(null);
  const { ids, isAll, kinds } = selection;
  const target = targetOf(page, list, selection);
  const isWholePage = ids.length === page.data.length && page.total > ids.length;
  return (
    <div className="bulk-actions" role="group" aria-label={bulkText('actions')}>
      <p className="num" role="status">
        {countText(target, isAll)}
      </p>
      {isWholePage && !isAll && (
        <Button variant="quiet" isSmall onClick={selection.selectAll}>
          {bulkText(page.isCapped ? 'selectAllOfMore' : 'selectAll', { count: page.total })}
        </Button>
      )}
      {kinds.map((one) => (
        <Button key={one} isSmall variant={one === 'delete' ? 'bad' : 'plain'} onClick={() => setKind(one)}>
          {bulkText(`do_${one}`)}
        </Button>
      ))}
      {!isAll && (
        <May permission="users.export">
          <ExportSelected ids={ids} />
        </May>
      )}
      <Button variant="quiet" isSmall onClick={selection.clear}>
        {bulkText('clear')}
      </Button>
      {kind !== null && (
        <BulkDialog kind={kind} target={target} onStarted={selection.clear} onClose={() => setKind(null)} />
      )}
    </div>
  );
};

/** Selects the users of the page, and says what can be done with those that are selected. */
export const BulkBar = (props: BulkBarProps): ReactNode => {
  const { page, selection } = props;
  if (!selection.isOffered || page.data.length === 0) return null;
  const ids = page.data.map(({ id }) => id);
  return (
    <div className="bulk-bar">
      <label className="check-line">
        <input
          type="checkbox"
          checked={ids.every((id) => selection.ids.includes(id))}
          onChange={(event) => selection.select(ids, event.target.checked)}
        />
        <span>{bulkText('selectPage')}</span>
      </label>
      {selection.ids.length > 0 && <Actions {...props} />}
    </div>
  );
};
