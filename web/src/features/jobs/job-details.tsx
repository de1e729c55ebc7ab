import {
  ITEM_STATES,
  type ItemState,
  JOB_PERMISSIONS,
  type NamedItem,
  type NamedJob,
  UNDO_KINDS,
} from '@shortlist/contracts/api/bulk';
import { describeResult } from '@shortlist/contracts/bulk-results';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { type ReactNode, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { paths } from '../../lib/paths.ts';
import { May } from '../../lib/state/hooks.tsx';
import { useUrlPages, useUrlParams } from '../../lib/url-filters.ts';
import { bulkText } from '../../messages/bulk.ts';
import { FailureAlert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { Email } from '../../ui/inline.tsx';
import { ExportButton, FilterBar, FilterSelect, Pager } from '../../ui/list-frame.tsx';
import { Panel } from '../../ui/panel.tsx';
import { EmptyState, LinesSkeleton, QueryView } from '../../ui/query-view.tsx';
import { authorText, JobProgress } from './job-state.tsx';
import { type Step, useItems, useJob, useStep, useUndo } from './use-jobs.ts';

type JobProps = { job: NamedJob };

const UndoDialog = ({ job, onClose }: JobProps & { onClose: () => void }): ReactNode => {
  const navigate = useNavigate();
  const command = useUndo(job.id, async ({ id }) => {
    onClose();
    await navigate(paths.adminJob(id));
  });
  return (
    <ConfirmDialog
      title={bulkText('undoTitle', { count: job.done })}
      confirmLabel={bulkText('undo')}
      command={command}
      onClose={onClose}
    >
      <p>{bulkText(job.kind === 'grant' ? 'undo_grant' : 'undo_revoke')}</p>
    </ConfirmDialog>
  );
};

const Undo = ({ job }: JobProps): ReactNode => {
  const [isOpen, setIsOpen] = useState(false);
  const undo = UNDO_KINDS[job.kind];
  if (undo === undefined) return null;
  return (
    <May permission={JOB_PERMISSIONS[undo]}>
      {job.canUndo && <Button onClick={() => setIsOpen(true)}>{bulkText('undo')}</Button>}
      {isOpen && <UndoDialog job={job} onClose={() => setIsOpen(false)} />}
    </May>
  );
};

/** What an admin may still do with a job. */
const stepsOf = ({ state }: NamedJob): readonly Step[] => {
  if (state === 'running') return ['pause', 'cancel'];
  return state === 'paused' ? ['continue', 'cancel'] : [];
};

const Steps = ({ job }: JobProps): ReactNode => {
  const { isBusy, failure, run } = useStep(job.id);
  return (
    <>
      {failure !== null && (
        <div className="panel-body">
          <FailureAlert failure={failure} />
        </div>
      )}
      <div className="panel-actions">
        <May permission={JOB_PERMISSIONS[job.kind]}>
          {stepsOf(job).map((step) => (
            <Button key={step} isBusy={isBusy} onClick={() => void run(step)}>
              {bulkText(step)}
            </Button>
          ))}
        </May>
        <Undo job={job} />
      </div>
    </>
  );
};

const Row = ({ item }: { item: NamedItem }): ReactNode => {
  const { userId, name, email, state, why } = item;
  return (
    <tr>
      <td>
        {name === '' ? (
          bulkText('deletedUser')
        ) : (
          <span className="user-name">
            <Link to={paths.editUser(userId)}>{name}</Link>
          </span>
        )}
        {email !== '' && (
          <span className="data-table-note">
            <Email>{email}</Email>
          </span>
        )}
      </td>
      <td>
        {bulkText(`item_${state}`)}
        {why !== null && <span className="data-table-note">{describeResult(why)}</span>}
      </td>
    </tr>
  );
};

const Table = ({ items }: { items: NamedItem[] }): ReactNode => (
  <div className="table-scroll">
    <table className="data-table is-stacked is-brief">
      <thead>
        <tr>
          <th scope="col">{bulkText('user')}</th>
          <th scope="col">{bulkText('result')}</th>
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <Row key={item.userId} item={item} />
        ))}
      </tbody>
    </table>
  </div>
);

const stateOf = (value: string | null): ItemState | '' => ITEM_STATES.find((state) => state === value) ?? '';

const Results = ({ job }: JobProps): ReactNode => {
  const { params, change } = useUrlParams();
  const { cursor, pageNumber, goNext, goPrevious } = useUrlPages();
  const query = useItems({ job, state: stateOf(params.get('result')), after: cursor });
  return (
    <Panel title={bulkText('results')} isBare>
      <FilterBar
        params={params}
        names={['result']}
        isInPanel
        end={
          <May permission="users.export">
            <ExportButton
              path={publicEndpoints.exportBulkItems.path.replace(':jobId', encodeURIComponent(job.id))}
              fileName="results"
            />
          </May>
        }
      >
        <FilterSelect
          name="result"
          label={bulkText('show')}
          params={params}
          onChange={(part) => change({ ...part, cursor: '', page: '' })}
        >
          <option value="">{bulkText('allResults')}</option>
          {ITEM_STATES.map((state) => (
            <option key={state} value={state}>
              {bulkText(`item_${state}`)}
            </option>
          ))}
        </FilterSelect>
      </FilterBar>
      <QueryView
        query={query}
        skeleton={<LinesSkeleton label={bulkText('resultsLoading')} lines={6} />}
        errorTitle={bulkText('resultsFailed')}
      >
        {({ data, next }) => (
          <>
            {data.length === 0 ? <EmptyState>{bulkText('noResults')}</EmptyState> : <Table items={data} />}
            {(next !== null || cursor !== '') && (
              <Pager
                summary={bulkText('page', { page: pageNumber })}
                previous={bulkText('previous')}
                next={bulkText('next')}
                onPrevious={cursor === '' ? null : goPrevious}
                onNext={next === null ? null : () => goNext(String(next))}
              />
            )}
          </>
        )}
      </QueryView>
    </Panel>
  );
};

/** One job: how far it is, what can be done with it, and what became of each user. */
export const JobDetails = ({ jobId }: { jobId: string }): ReactNode => (
  <QueryView
    query={useJob(jobId)}
    skeleton={<LinesSkeleton label={bulkText('loading')} lines={4} />}
    errorTitle={bulkText('failed')}
  >
    {(job) => (
      <div className="stack">
        <Panel title={bulkText(`job_${job.kind}`)} note={authorText(job)} isBare>
          <div className="panel-body stack">
            <p>{job.reason}</p>
            <JobProgress job={job} />
            {job.undoOf !== null && (
              <p>
                <Link to={paths.adminJob(job.undoOf)}>{bulkText('openUndo')}</Link>
              </p>
            )}
          </div>
          <Steps job={job} />
        </Panel>
        <Results job={job} />
      </div>
    )}
  </QueryView>
);
