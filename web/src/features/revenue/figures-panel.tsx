import type { RevenueView } from '@shortlist/contracts/api/revenue';
import ArrowDown from 'lucide-react/icons/arrow-down';
import ArrowUp from 'lucide-react/icons/arrow-up';
import ChevronDown from 'lucide-react/icons/chevron-down';
import { type ReactNode, useId } from 'react';
import { Link } from 'react-router-dom';
import { localToday } from '../../lib/dates.ts';
import { definitionText, figureText, revenueText } from '../../messages/revenue.ts';
import { Button } from '../../ui/button.tsx';
import { ICON } from '../../ui/inline.tsx';
import { QueryView, type QueryState } from '../../ui/query-view.tsx';
import { Bar, Skeleton } from '../../ui/states.tsx';
import { Term } from '../../ui/term.tsx';
import { changeOf, type Direction, valueText } from './figure-texts.ts';
import { listAddress, type Report } from './report-state.ts';
import { FIRST_FIGURES, type Figure, listedBehind, MORE_FIGURES } from './revenue.rules.ts';

type FigureProps = { figure: Figure; view: RevenueView; report: Report };

/** Leads to what is behind the figure, where something is. */
const Value = ({ figure, view: { current, currency }, report }: FigureProps): ReactNode => {
  const { params, choice } = report;
  const value = valueText(figure, current, currency);
  const listed = listedBehind(figure, current, choice.days.to === localToday());
  if (listed === null) return value;
  const label = revenueText('behind', { value, figure: figureText(figure) });
  return (
    <Link to={listAddress(params, choice, listed)} aria-label={label}>
      {value}
    </Link>
  );
};

const Arrow = ({ direction }: { direction: Direction }): ReactNode => {
  if (direction === null) return null;
  const Icon = direction === 'up' ? ArrowUp : ArrowDown;
  return <Icon {...ICON} size={14} />;
};

/** The mark is at the figure that the chart below draws. */
const FigureCell = (props: FigureProps): ReactNode => {
  const { figure, view } = props;
  const { text, direction } = changeOf(figure, view);
  return (
    <div className={figure === 'mrr' ? 'figure is-marked' : 'figure'}>
      <dt>
        <Term definition={definitionText(figure)}>{figureText(figure)}</Term>
      </dt>
      <dd className="figure-value num">
        <Value {...props} />
      </dd>
      <dd className="figure-change num">
        <Arrow direction={direction} />
        <span>{text}</span>
      </dd>
    </div>
  );
};

type FiguresProps = Omit<FigureProps, 'figure'> & { figures: readonly Figure[]; id?: string };

const Figures = ({ figures, id, ...props }: FiguresProps): ReactNode => (
  <dl className="figures" id={id}>
    {figures.map((figure) => (
      <FigureCell key={figure} figure={figure} {...props} />
    ))}
  </dl>
);

/** Whether more figures are shown is in the URL as well, so that Back from a list leads to the figure. */
const isMoreShown = ({ params }: Report): boolean => params.get('figures') === 'all';

const AllFigures = (props: Omit<FigureProps, 'figure'>): ReactNode => {
  const id = useId();
  const { change } = props.report;
  const isMore = isMoreShown(props.report);
  return (
    <>
      <Figures figures={FIRST_FIGURES} {...props} />
      <div className="figures-foot">
        <Button
          variant="quiet"
          isReadOnly
          aria-expanded={isMore}
          aria-controls={isMore ? id : undefined}
          onClick={() => change({ figures: isMore ? '' : 'all' }, { replace: true })}
        >
          {revenueText('moreFigures')}
          <ChevronDown {...ICON} />
        </Button>
      </div>
      {isMore && <Figures figures={MORE_FIGURES} id={id} {...props} />}
    </>
  );
};

const FigureBars = ({ figures }: Pick<FiguresProps, 'figures'>): ReactNode => (
  <div className="figures">
    {figures.map((figure) => (
      <div className="figure" key={figure}>
        <div className="figure-name">
          <Bar width="6rem" />
        </div>
        <div className="figure-value">
          <Bar width="8rem" height="1.5rem" />
        </div>
        <div className="figure-change">
          <Bar width="11rem" />
        </div>
      </div>
    ))}
  </div>
);

const FiguresSkeleton = ({ isMore }: { isMore: boolean }): ReactNode => (
  <Skeleton label={revenueText('figuresLoading')}>
    <FigureBars figures={FIRST_FIGURES} />
    <div className="figures-foot">
      <Bar width="7rem" height="2.375rem" />
    </div>
    {isMore && <FigureBars figures={MORE_FIGURES} />}
  </Skeleton>
);

type FiguresPanelProps = { query: QueryState<RevenueView>; report: Report };

export const FiguresPanel = ({ query, report }: FiguresPanelProps): ReactNode => (
  <section className="panel figures-panel" aria-label={revenueText('keyFigures')}>
    <QueryView
      query={query}
      skeleton={<FiguresSkeleton isMore={isMoreShown(report)} />}
      errorTitle={revenueText('figuresFailed')}
    >
      {(view) => <AllFigures view={view} report={report} />}
    </QueryView>
  </section>
);
