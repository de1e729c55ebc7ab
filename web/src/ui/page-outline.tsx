import type { ReactNode } from 'react';
import { Bar, CardsSkeleton, Skeleton, SkeletonPanel } from './states.tsx';

/**
 * A page without its content: the heading, unless it depends on what the page reads, and its panels by their lines, in columns where the page
 * has some.
 */
export type Outline = {
  title?: string;
  note?: string;
  panels?: readonly number[] | 'cards';
  columns?: readonly (readonly number[])[];
  isWide?: boolean;
};

const Panels = ({ lines }: { lines: readonly number[] }): ReactNode =>
  lines.map((count, index) => <SkeletonPanel key={index} lines={count} />);

const OutlinePanels = ({ panels = [1, 4], columns, isWide = false }: Outline): ReactNode => {
  if (panels === 'cards') return <CardsSkeleton />;
  if (columns === undefined)
    return (
      <div className={isWide ? 'stack sheets' : 'measure stack sheets'}>
        <Panels lines={panels} />
      </div>
    );
  return (
    <div className="panel-columns">
      {columns.map((lines, index) => (
        <div className="stack sheets" key={index}>
          <Panels lines={lines} />
        </div>
      ))}
    </div>
  );
};

type PageOutlineProps = Outline & { label: string; delayMs?: number | undefined };

/** Stands in for a page until it can be shown. Screen readers hear that it loads, and the heading once, with the page. */
export const PageOutline = (props: PageOutlineProps): ReactNode => {
  const { title, note, label, delayMs } = props;
  return (
    <>
      {title !== undefined && (
        <div className="page-header" aria-hidden="true">
          <div>
            <h1>{title}</h1>
            {note !== undefined && <p>{note}</p>}
          </div>
        </div>
      )}
      <Skeleton label={label} delayMs={delayMs}>
        {title === undefined && (
          <div className="page-header">
            <Bar width="14rem" height="2rem" />
          </div>
        )}
        <OutlinePanels {...props} />
      </Skeleton>
    </>
  );
};
