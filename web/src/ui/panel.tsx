import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { type ReactNode, useId } from 'react';
import { shortTime } from '../lib/dates.ts';
import { ICON } from './inline.tsx';

type LinesProps = { children: ReactNode };

/** A list of ruled lines inside a panel, each with a title, a note, and what can be done at the end. */
export const Lines = ({ children }: LinesProps): ReactNode => <ul className="lines">{children}</ul>;

type LineProps = {
  title: ReactNode;
  note?: ReactNode;
  /** Only where the lines are of different kinds. */
  icon?: ReactNode;
  /** The line that is the user's own, present or in force. At most one of a list. */
  isMarked?: boolean;
  /** Buttons at the end of the line. */
  children?: ReactNode;
  /** What belongs to the line and takes its whole width, such as a form. */
  below?: ReactNode;
};

export const Line = ({ title, note, icon, isMarked = false, children, below }: LineProps): ReactNode => (
  <li className={isMarked ? 'is-marked' : undefined}>
    {icon}
    <div className="line-text">
      <p className="line-title">{title}</p>
      {note !== undefined && <p className="line-note">{note}</p>}
    </div>
    {children !== undefined && <div className="line-end">{children}</div>}
    {below}
  </li>
);

/** A list of what happened, the newest first. */
export const Trail = ({ children }: { children: ReactNode }): ReactNode => (
  <ol className="trail">{children}</ol>
);

type TrailEntryProps = { at: string; title: ReactNode; note: ReactNode; isWarning?: boolean };

export const TrailEntry = ({ at, title, note, isWarning = false }: TrailEntryProps): ReactNode => (
  <li>
    <time className="num" dateTime={at}>
      {shortTime(at)}
    </time>
    <div className="trail-text">
      <p className={isWarning ? 'trail-title is-warn' : 'trail-title'}>
        {isWarning && <TriangleAlert {...ICON} />}
        {title}
      </p>
      <p className="trail-note">{note}</p>
    </div>
  </li>
);

/** Names with their values, as a list or as a horizontal strip. */
export const Details = ({
  rows,
  isStrip = false,
}: {
  rows: readonly (readonly [string, ReactNode])[];
  isStrip?: boolean;
}): ReactNode => (
  <dl className={isStrip ? 'details-strip num' : 'details-list num'}>
    {rows.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);

type PanelProps = { title: string; note?: string; end?: ReactNode; isBare?: boolean; children: ReactNode };

/** A titled section. With `isBare` its content has no padding, as for a table. */
export const Panel = ({ title, note, end, isBare = false, children }: PanelProps): ReactNode => {
  const id = useId();
  return (
    <section className="panel" aria-labelledby={id}>
      <div className="panel-head">
        {note === undefined ? (
          <h2 id={id}>{title}</h2>
        ) : (
          <div>
            <h2 id={id}>{title}</h2>
            <p className="small muted">{note}</p>
          </div>
        )}
        {end}
      </div>
      {isBare ? children : <div className="panel-body">{children}</div>}
    </section>
  );
};
