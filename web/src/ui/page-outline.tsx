import type { ReactNode } from 'react';
import { Bar, CardsSkeleton, Skeleton, SkeletonPanel } from './states.tsx';

/** A page without its content: the heading, unless it depends on what the page reads, and its panels by their lines. */
export type Outline = {
  title?: string;
  note?: string;
  panels?: readonly number[] | 'cards';
  isWide?: boolean;
};

type PageOutlineProps = Outline & { label: string; delayMs?: number | undefined };

/** Stands in for a page until it can be shown. Screen readers hear that it loads, and the heading once, with the page. */
export const PageOutline = (props: PageOutlineProps): ReactNode => {
  const { title, note, panels = [1, 4], isWide = false, label, delayMs } = props;
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
        {panels === 'cards' ? (
          <CardsSkeleton />
        ) : (
          <div className={isWide ? 'stack sheets' : 'measure stack sheets'}>
            {panels.map((lines, index) => (
              <SkeletonPanel key={index} lines={lines} />
            ))}
          </div>
        )}
      </Skeleton>
    </>
  );
};
